// A page of the documentation and a text → the page with that text between its comments.

export interface Place {
  readonly begin: string
  readonly end: string
}

/** What a run of some scenarios alone writes. */
export const placeOf = (only: string): Place => ({
  begin: `<!-- written by: npm run bench -- --only ${only} -->`,
  end: '<!-- end -->',
})

/** @throws if the page has no place for it. */
export const withPart = (page: string, { begin, end }: Place, text: string): string => {
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < from) throw new Error(`The page has no "${begin}" and "${end}".`)
  return `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`
}

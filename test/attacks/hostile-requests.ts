// A route as the service registered it → requests to it that are meant to make work without end.
import type { Form } from './crawl-forms.ts'

/** The next of the values, again and again: so that each target is sent others. */
export const dealer = <Value>(values: readonly Value[]): (() => Value) => {
  let dealt = 0
  return () => {
    const value = values[dealt % values.length] as Value
    dealt += 1
    return value
  }
}

export interface Deal {
  readonly text: () => string
  readonly file: () => string | Uint8Array<ArrayBuffer>
  readonly name: () => string
}

const LONGEST = 400
const encoded = (text: string): string => encodeURIComponent(text.slice(0, LONGEST).toWellFormed())

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.+]/g, '\\$&').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`)

const parametersIn = (url: string): number => url.match(/:\w+|\*/g)?.length ?? 0

/** An address → the route that answers it: of several, as in the router, the one with the fewest parameters. */
export type RouteOf = (path: string) => string | undefined

export const createRouteOf = (urls: readonly string[]): RouteOf => {
  const routes = [...new Set(urls)]
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))
    .map(url => ({ url, pattern: patternOf(url) }))
  return path => routes.find(({ pattern }) => pattern.test(path))?.url
}

/** Beyond the router's limit nothing is found. */
const LONGEST_PART = 60

/** Somewhere, or nowhere at all. */
export const inventedPlace = (url: string, deal: Deal): string =>
  url.replaceAll(
    /:\w+|\*/g,
    () =>
      encodeURIComponent(
        deal
          .text()
          .slice(0, LONGEST_PART / 6)
          .toWellFormed(),
      ) || '-',
  )

const NAMES = 6

const queryOf = (deal: Deal): string =>
  Array.from({ length: NAMES }, () => `${deal.name()}=${encoded(deal.text())}`).join('&')

export const hostileQuery = (path: string, deal: Deal): string => {
  const query = queryOf(deal)
  // The same once more: a repeated parameter.
  return `${path}?${query}&${query.slice(0, query.indexOf('&'))}`
}

export interface Body {
  readonly type?: string
  readonly content: string | FormData
}

/** What the form has, some of it as it stood there, and more that some other form has. */
const fieldsOf = (form: Form | undefined, token: string, deal: Deal): [string, string][] => [
  ['anti_forgery', token],
  ...(form?.fields ?? [])
    .filter(([name]) => name !== 'anti_forgery')
    .map(([name, value], index): [string, string] => [name, index % 3 === 0 && value !== '' ? value : deal.text()]),
  ...Array.from({ length: form === undefined ? 2 * NAMES : 2 }, (): [string, string] => [deal.name(), deal.text()]),
]

const asForm = (fields: readonly [string, string][]): Body => ({
  type: 'application/x-www-form-urlencoded',
  content: new URLSearchParams(fields.map(([name, value]) => [name, value.toWellFormed()])).toString(),
})

const withFile = (fields: readonly [string, string][], deal: Deal): Body => {
  const content = new FormData()
  for (const [name, value] of fields) content.append(name, value)
  content.set('sheet', new Blob([deal.file()]), 'times.ics')
  return { content }
}

const asJson = (deal: Deal): Body => ({
  type: 'application/json',
  content: JSON.stringify({
    query: `query Q { up_masjids(where: {name: {_ilike: ${JSON.stringify(deal.text())}}}, limit: 1) { id } }`,
    variables: { [deal.name()]: deal.text() },
    operationName: deal.text(),
    jsonrpc: '2.0',
    id: deal.text(),
    method: 'tools/call',
    params: { name: deal.name(), arguments: { [deal.name()]: deal.text() } },
  }),
})

/** Of the kind that the route takes; in later rounds of any kind. */
export const bodyFor = (
  url: string,
  { form, token, round }: { readonly form: Form | undefined; readonly token: string; readonly round: number },
  deal: Deal,
): Body => {
  const usual = /^\/(v1|mcp)/.test(url) ? 2 : form?.takesFile === true ? 1 : 0
  const kind = (usual + round) % 3
  if (kind === 2) return asJson(deal)
  const fields = fieldsOf(form, token, deal)
  return kind === 1 ? withFile(fields, deal) : asForm(fields)
}

// The number of a page from the URL; the first page where it is none.

export const pageNumber = (text: string): number => {
  const asked = Number(text)
  return Number.isInteger(asked) && asked > 0 && asked < 100_000 ? asked : 1
}

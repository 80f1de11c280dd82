// The tokens of a document → its sections as plain text, and the rows of its tables that have a name: what the search finds.
import type { Token, Tokens } from 'marked'

export interface DocumentSection {
  /** The anchor within the page; empty before the first heading. */
  readonly id: string
  readonly title: string
  readonly text: string
  /** Of its heading; undefined for a row of a table, such as a field or an error code. */
  readonly depth?: number
}

export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

export const plainText = (token: Token): string => {
  if ('tokens' in token && Array.isArray(token.tokens)) return token.tokens.map(plainText).join('')
  return 'text' in token ? String(token.text) : ''
}

const cellsText = (cells: readonly Tokens.TableCell[]): string =>
  cells.map(({ tokens }) => tokens.map(plainText).join('')).join(' ')

const blockText = (token: Token): string => {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map(cellsText).join('\n')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(item => item.text).join('\n')
  return plainText(token)
}

export const isHeading = (token: Token, depth: number): token is Tokens.Heading =>
  token.type === 'heading' && (token as Tokens.Heading).depth === depth

/** The name of a row: the code in its first cell, if there is nothing else in it. */
const rowName = ([first]: readonly Tokens.TableCell[]): string | undefined => {
  const [only, more] = first?.tokens ?? []
  return only?.type === 'codespan' && more === undefined ? plainText(only) : undefined
}

/** The anchors of the headings: the given ones in order, or else made of their words. */
export const headingAnchors = (tokens: readonly Token[], ids: readonly string[] = []): ReadonlyMap<Token, string> =>
  new Map(
    tokens
      .filter(({ type }) => type === 'heading')
      .map((token, index) => [token, ids[index] ?? headingId(plainText(token))]),
  )

/** Every row with a name that nothing before it on the page has. */
export const rowIds = (
  tokens: readonly Token[],
  anchors: ReadonlyMap<Token, string>,
): ReadonlyMap<readonly Tokens.TableCell[], string> => {
  const taken = new Set(anchors.values())
  const ids = new Map<readonly Tokens.TableCell[], string>()
  for (const token of tokens)
    if (token.type === 'table')
      for (const row of (token as Tokens.Table).rows) {
        const id = rowName(row)?.replaceAll(/[^\w-]+/g, '-') ?? ''
        if (id !== '' && !taken.has(id)) ids.set(row, id)
        taken.add(id)
      }
  return ids
}

/** The rows that can be linked to. */
export const rowSections = (ids: ReadonlyMap<readonly Tokens.TableCell[], string>): DocumentSection[] =>
  [...ids].map(([row, id]) => ({
    id,
    title: rowName(row) ?? '',
    text: cellsText(row.slice(1)),
  }))

export const sectionsOf = (
  tokens: readonly Token[],
  title: string,
  anchors: ReadonlyMap<Token, string>,
): DocumentSection[] => {
  const sections: { id: string; title: string; text: string; depth: number }[] = [{ id: '', title, text: '', depth: 1 }]
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth } = token as Tokens.Heading
      if (depth > 1) sections.push({ id: anchors.get(token) ?? '', title: plainText(token), text: '', depth })
    } else {
      const last = sections.at(-1)
      if (last !== undefined) last.text += `${blockText(token)}\n`
    }
  }
  return sections
}

// Tagged templates → { text, values }: identifiers quoted, values always parameters.

type Piece = { readonly raw: string } | { readonly value: unknown }

/** A symbol, which JSON cannot contain: an object that only looks like `sql` stays a value. */
const made: unique symbol = Symbol('sql')

export interface Sql {
  readonly [made]: true
  readonly pieces: readonly Piece[]
  /** A statement with a name is prepared once per connection. */
  readonly name?: string
}

export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

const fromPieces = (pieces: readonly Piece[]): Sql => ({ [made]: true, pieces })

const isSql = (part: unknown): part is Sql => typeof part === 'object' && part !== null && made in part

/** A part that is itself `sql` is spliced in; anything else becomes a parameter. */
export const sql = (strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql => {
  const pieces: Piece[] = [{ raw: strings[0] ?? '' }]
  for (const [index, part] of parts.entries()) {
    if (isSql(part)) pieces.push(...part.pieces)
    else pieces.push({ value: part })
    pieces.push({ raw: strings[index + 1] ?? '' })
  }
  return fromPieces(pieces)
}

/** An identifier quoted for PostgreSQL, whatever it contains. NUL cannot be written at all. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""').replaceAll('\0', '')}"`

/** For the few statements that take no parameters (create role, notify, set). */
export const quoteLiteral = (text: string): string => {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

export const identifier = (...path: readonly string[]): Sql =>
  fromPieces([{ raw: path.map(quoteIdentifier).join('.') }])

export const joinSql = (parts: readonly Sql[], separator = ', '): Sql =>
  fromPieces(parts.flatMap((part, index) => (index === 0 ? part.pieces : [{ raw: separator }, ...part.pieces])))

/** Our own text, never a caller's: the compiler's keywords, a migration file. */
export const rawSql = (text: string): Sql => fromPieces([{ raw: text }])

/** For the few statements that run thousands of times: parsed and planned once per connection. Each name has one text. */
export const prepared = (name: string, query: Sql): Sql => ({ ...query, name })

/** The same statement, parsed anew each time. */
export const unnamed = ({ name: _, ...query }: Sql): Sql => query

export const toStatement = (query: Sql): Statement => {
  const values: unknown[] = []
  let text = ''
  for (const piece of query.pieces) text += 'raw' in piece ? piece.raw : `$${values.push(piece.value)}`
  return query.name === undefined ? { text, values } : { name: query.name, text, values }
}

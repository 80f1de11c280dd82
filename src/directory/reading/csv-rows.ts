// Text with commas, semicolons or tabs, piece by piece → its rows, by the names in the first one.
import papaparse from 'papaparse'
import { columns } from '../columns.ts'
import { importRefused, LONGEST_ROW, type RawRow } from './raw-row.ts'

interface Parsed {
  readonly data: readonly (readonly string[])[]
  readonly errors: readonly { readonly row?: number }[]
  readonly meta: { readonly cursor: number }
}

interface Form {
  readonly delimiter: string
  readonly newline: '\n' | '\r' | '\r\n'
}

/** Excel writes the delimiter into a first line of its own. */
const announced = /^sep=(.)\r?\n/i

/** The one that gives the column without which nothing can be imported; by their number where none does. */
const formOf = (beginning: string): Form => {
  const [line = ''] = beginning.split(/\r?\n|\r/, 1)
  const named = [',', ';', '\t', '|'].toSorted((one, other) => line.split(other).length - line.split(one).length)
  const hasKey = (delimiter: string): boolean => line.split(delimiter).some(name => nameOf(name) === 'source_id')
  const newline = beginning.slice(line.length).startsWith('\r\n')
    ? '\r\n'
    : beginning.at(line.length) === '\r'
      ? '\r'
      : '\n'
  return { delimiter: named.find(hasKey) ?? named[0] ?? ',', newline }
}

const needed = columns.filter(({ required }) => required === true).map(({ name }) => name)

const nameOf = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
    .toLowerCase()

const breaksIn = (text: string): number => (/[\r\n]/.test(text) ? (text.match(/\r\n|\r|\n/g)?.length ?? 0) : 0)

const isBlank = (cells: readonly string[]): boolean => cells.length === 1 && cells[0]?.trim() === ''

const readHeader = (cells: readonly string[], line: number): readonly string[] => {
  const names = cells.map(nameOf)
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  const missing = ['source_id', ...needed].filter(name => !names.includes(name))
  if (missing.length > 0) throw importRefused(`Line ${line}: the header lacks the columns ${missing.join(', ')}.`)
  if (twice !== undefined) throw importRefused(`Line ${line}: the header has the column "${twice}" twice.`)
  return names
}

const rowOf = (names: readonly string[], cells: readonly string[], line: number): RawRow => {
  const values: Record<string, string> = {}
  const size = cells.reduce((sum, cell) => sum + cell.length, 0)
  if (cells.length !== names.length) {
    const reason = `the row has ${cells.length} values, and the header ${names.length} names`
    return { line, size, values, unreadable: { column: '', reason } }
  }
  for (const [index, name] of names.entries()) if (name !== '') values[name] = cells[index] ?? ''
  return { line, size, values }
}

const brokenQuote = (line: number): Error =>
  importRefused(
    `Line ${line}: a quoted value has a quote inside that is not doubled, or does not end. What follows cannot be read; mend it, and run the import again.`,
  )

const longRow = (line: number): Error =>
  importRefused(
    `Line ${line}: the row is longer than ${LONGEST_ROW.toLocaleString('en')} characters. Is a quote not closed?`,
  )

/** @throws {Fault} `import_refused` if the structure is broken */
export async function* readCsvRows(texts: AsyncIterable<string>): AsyncGenerator<readonly RawRow[]> {
  let rest = ''
  let line = 1
  let names: readonly string[] | undefined
  let parser: papaparse.Parser | undefined

  let fault: Error | undefined

  /** Rows before what is broken are given first. */
  const take = (isLast: boolean): RawRow[] => {
    parser ??= new papaparse.Parser(formOf(rest))
    const { data, errors, meta } = parser.parse(rest, 0, !isLast) as Parsed
    const broken = errors.find(({ row }) => row !== undefined && (isLast || row < data.length))?.row
    const rows: RawRow[] = []
    for (const [index, cells] of data.entries()) {
      if (index === broken) {
        fault = brokenQuote(line)
        return rows
      }
      if (!isBlank(cells)) {
        if (names === undefined) names = readHeader(cells, line)
        else rows.push(rowOf(names, cells, line))
      }
      line += 1 + cells.reduce((sum, cell) => sum + breaksIn(cell), 0)
    }
    rest = rest.slice(meta.cursor)
    if (rest.length > LONGEST_ROW) fault = longRow(line)
    return rows
  }

  for await (const text of texts) {
    rest += text
    if (parser === undefined) {
      const [first = ''] = announced.exec(rest) ?? []
      if (first !== '') line += 1
      rest = rest.slice(first.length)
    }
    yield take(false)
    if (fault !== undefined) throw fault
  }
  if (rest !== '') yield take(true)
  if (fault !== undefined) throw fault
}

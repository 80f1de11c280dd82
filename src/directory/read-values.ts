// A row as it was read → the values of its masjid by column, or which column cannot be read, and why.
import { createHash } from 'node:crypto'
import { type Choices, type Column, columns, type Kind } from './columns.ts'
import type { RawRow } from './reading/raw-row.ts'

export type Values = Record<string, unknown>

export interface GivenMasjid {
  readonly kind: 'given'
  readonly line: number
  readonly sourceId: string
  readonly values: Values
  /** Of the values as given, before anything is filled in. */
  readonly hash: string
}

export interface RefusedRow {
  readonly kind: 'refused'
  readonly line: number
  /** Empty if the row has none. */
  readonly sourceId: string
  readonly column: string
  readonly reason: string
}

class Unreadable extends Error {}

/** The table's own limits are lower; this one is for what comes before them. */
const LONGEST_TEXT = 5000
const LONGEST_ID = 200
const MOST_WORDS = 100

const textOf = (given: unknown): string | null => {
  if (given === null || given === undefined) return null
  if (typeof given === 'number' || typeof given === 'boolean') return String(given)
  if (typeof given !== 'string') throw new Unreadable('is no text')
  const text = given.trim()
  if (text.length > LONGEST_TEXT) throw new Unreadable(`is longer than ${LONGEST_TEXT} characters`)
  if (text.includes('\0')) throw new Unreadable('has a NUL character')
  if (text.includes('\ufffd') || !text.isWellFormed()) throw new Unreadable('has bytes that are no UTF-8')
  return text === '' ? null : text
}

const numeral = /^[+-]?(\d{1,20}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?$/i

const numberOf = (given: unknown): number | null => {
  const text = textOf(given)
  if (text === null) return null
  if (!numeral.test(text)) throw new Unreadable('is no number; decimals follow a point')
  return Number(text)
}

/** Of two bytes, or of four. */
const integerOf = (given: unknown, most: number): number | null => {
  const value = numberOf(given)
  if (value !== null && !Number.isInteger(value)) throw new Unreadable('is no whole number')
  if (value !== null && Math.abs(value) > most) throw new Unreadable('is too large')
  return value
}

/** In a table, a list is separated by semicolons, commas or bars. */
const wordsOf = (given: unknown): string[] | null => {
  const list = Array.isArray(given) ? given : (textOf(given) ?? '').replace(/^\{(.*)\}$/s, '$1').split(/[;,|]/)
  if (list.length > MOST_WORDS) throw new Unreadable('is too long a list')
  const words = [...new Set(list.map(textOf).filter(word => word !== null))]
  return words.length === 0 ? null : words
}

const oneOf = (word: string, known: ReadonlySet<string> | undefined): string => {
  if (known?.has(word) === true) return word
  throw new Unreadable(`is none of ${[...(known ?? [])].join(', ')}`)
}

const objectOf = (given: unknown): unknown => {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given
  const text = textOf(given)
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('is no JSON')
  }
}

const readers: Readonly<Record<Kind, (given: unknown, known: ReadonlySet<string> | undefined) => unknown>> = {
  text: textOf,
  number: numberOf,
  integer: given => integerOf(given, 0x7fff_ffff),
  small: given => integerOf(given, 0x7fff),
  words: wordsOf,
  object: objectOf,
  choice: (given, known) => {
    const word = textOf(given)
    return word === null ? null : oneOf(word, known)
  },
  choices: (given, known) => wordsOf(given)?.map(word => oneOf(word, known)) ?? null,
}

const readColumn = ({ name, kind, required, otherwise = null }: Column, row: RawRow, choices: Choices): unknown => {
  const value = readers[kind](row.values[name], choices.get(name)) ?? otherwise
  if (required === true && value === null) throw new Unreadable('is missing')
  // The table wants small letters, and many directories have others.
  return name === 'email' && typeof value === 'string' ? value.toLowerCase() : value
}

const hashOf = (values: Values): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 32)

const sourceIdOf = (given: unknown): string => {
  const id = textOf(given)
  if (id === null) throw new Unreadable('is missing')
  if (id.length > LONGEST_ID) throw new Unreadable(`is longer than ${LONGEST_ID} characters`)
  return id
}

/** Stops at the first column that cannot be read. */
export const readValues = (row: RawRow, choices: Choices): GivenMasjid | RefusedRow => {
  let [column, sourceId] = ['source_id', '']
  try {
    sourceId = sourceIdOf(row.values.source_id)
    if (row.unreadable !== undefined) return { kind: 'refused', line: row.line, sourceId, ...row.unreadable }
    const values: Values = {}
    for (const each of columns) {
      column = each.name
      values[column] = readColumn(each, row, choices)
    }
    return { kind: 'given', line: row.line, sourceId, values, hash: hashOf(values) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    if (row.unreadable !== undefined) return { kind: 'refused', line: row.line, sourceId, ...row.unreadable }
    return { kind: 'refused', line: row.line, sourceId, column, reason: `${column} ${error.message}` }
  }
}

// Two values of one type → which comes first, as PostgreSQL orders them under the collation C.
import { ExactNumber, type Value } from './exact-json.ts'
import type { Type } from './structure.ts'

const sign = <T extends number | bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

export const decimalOf = (text: string): Decimal => {
  const [, minus = '', whole = '0', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const scale = part.length - Number(exponent)
  const digits = BigInt(`${minus}${whole}${part}`)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

export const compareDecimals = (a: Decimal, b: Decimal): number => {
  const scale = Math.max(a.scale, b.scale)
  const lift = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own)
  return sign(lift(a), lift(b))
}

export const addDecimals = (a: Decimal, b: Decimal): Decimal => {
  const scale = Math.max(a.scale, b.scale)
  const lift = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own)
  return { digits: lift(a) + lift(b), scale }
}

const fraction = (text: string | undefined): bigint => BigInt((text ?? '').padEnd(6, '0'))

const clockMicros = (text: string): bigint => {
  const [, hours = '0', minutes = '0', seconds = '0', part] = /^(\d+):(\d\d):(\d\d)(?:\.(\d+))?/.exec(text) ?? []
  return (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * 1_000_000n + fraction(part)
}

/** `2026-01-02T03:04:05.678901+00:00` → microseconds; all are read in UTC. */
const instantMicros = (text: string): bigint => {
  const [date = '', clock = '00:00:00'] = text.split(/[T ]/)
  const offset = /([+-])(\d\d):?(\d\d)?$/.exec(clock)
  const [, side = '+', hours = '0', minutes = '0'] = offset ?? []
  const shift = (BigInt(hours) * 60n + BigInt(minutes)) * 60_000_000n * (side === '-' ? -1n : 1n)
  return BigInt(Date.parse(`${date}T00:00:00Z`)) * 1000n + clockMicros(clock) - (text.includes('T') ? shift : 0n)
}

/** A month counts as 30 days and a day as 24 hours. */
const intervalMicros = (text: string): bigint => {
  const part = (pattern: RegExp): bigint => BigInt(pattern.exec(text)?.[1] ?? '0')
  const days = part(/(-?\d+) years?/) * 360n + part(/(-?\d+) mons?/) * 30n + part(/(-?\d+) days?/)
  const clock = /(-?)(\d+:\d\d:\d\d(?:\.\d+)?)/.exec(text)
  const micros = clock === null ? 0n : clockMicros(clock[2] ?? '') * (clock[1] === '-' ? -1n : 1n)
  return days * 86_400_000_000n + micros
}

export interface Span {
  /** undefined: unbounded. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly empty: boolean
}

/** Discrete ranges are always written `[from,to)`. */
export const spanOf = (text: string): Span => {
  if (text === 'empty') return { from: undefined, to: undefined, empty: true }
  const [from = '', to = ''] = text.slice(1, -1).split(',')
  return { from: from === '' ? undefined : from, to: to === '' ? undefined : to, empty: false }
}

const comparePoints = (a: string, b: string): number => (/^-?\d+$/.test(a) ? sign(BigInt(a), BigInt(b)) : sign(a, b))

/** A missing lower bound is the least, a missing upper bound the greatest. */
export const compareFrom = (a: string | undefined, b: string | undefined): number =>
  a === undefined || b === undefined ? Number(a !== undefined) - Number(b !== undefined) : comparePoints(a, b)
export const compareTo = (a: string | undefined, b: string | undefined): number =>
  a === undefined || b === undefined ? Number(a === undefined) - Number(b === undefined) : comparePoints(a, b)

const compareRanges = (a: Span, b: Span): number => {
  if (a.empty || b.empty) return Number(b.empty) - Number(a.empty)
  return compareFrom(a.from, b.from) || compareTo(a.to, b.to)
}

const compareArrays = (a: readonly Value[], b: readonly Value[], element: Type): number => {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [left = null, right = null] = [a[index], b[index]]
    const found =
      left === null || right === null
        ? Number(left === null) - Number(right === null)
        : compareValues(left, right, element)
    if (found !== 0) return found
  }
  return a.length - b.length
}

export const numberText = (value: Value): string => (value instanceof ExactNumber ? value.text : String(value))

/** Neither is null. JSON is never ordered. */
export const compareValues = (a: Value, b: Value, type: Type): number => {
  switch (type.kind) {
    case 'boolean':
      return Number(a) - Number(b)
    case 'integer':
    case 'bigint':
    case 'numeric':
      return compareDecimals(decimalOf(numberText(a)), decimalOf(numberText(b)))
    case 'float':
      return sign(Number(numberText(a)), Number(numberText(b)))
    case 'text':
      return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
    case 'enum':
      return type.labels.indexOf(String(a)) - type.labels.indexOf(String(b))
    case 'time':
      return sign(clockMicros(String(a)), clockMicros(String(b)))
    case 'timestamp':
      return sign(instantMicros(String(a)), instantMicros(String(b)))
    case 'interval':
      return sign(intervalMicros(String(a)), intervalMicros(String(b)))
    case 'range':
      return compareRanges(spanOf(String(a)), spanOf(String(b)))
    case 'array':
      return compareArrays(a as Value[], b as Value[], type.element as Type)
    default:
      return sign(String(a), String(b))
  }
}

// A source map → the places in the sources that places in the bundle were made of. Its mappings are read from the beginning each time, as
// that is rare: a parsed map would take many times its size in memory, for the life of the process.
// @see https://tc39.es/ecma426/#sec-mappings

export interface SourceMapText {
  readonly sources: readonly string[]
  readonly mappings: string
}

/** Lines and columns from 1, as in stack traces. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface SourcePlace extends Place {
  readonly source: string
}

/** A stretch of one line of the bundle, and where it begins in the sources; numbers from 0. */
interface Segment {
  readonly line: number
  readonly column: number
  readonly source: number
  readonly sourceLine: number
  readonly sourceColumn: number
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const valueOfDigit = new Uint8Array(128)
for (let digit = 0; digit < digits.length; digit += 1) valueOfDigit[digits.charCodeAt(digit)] = digit

const BITS = 5
const CONTINUES = 2 ** BITS
const NEXT_LINE = ';'.charCodeAt(0)
const NEXT_SEGMENT = ','.charCodeAt(0)

/**
 * Numbers of five bits in each digit, the last bit being the sign, each the change since the number before in the same position.
 * Only those of some lines: a bundle has hundreds of thousands.
 */
function* segmentsOf(mappings: string, lines: ReadonlySet<number>): Generator<Segment> {
  let [line, column, source, sourceLine, sourceColumn] = [0, 0, 0, 0, 0]
  let position = 0
  for (let at = 0; at < mappings.length; ) {
    const code = mappings.charCodeAt(at)
    if (code === NEXT_LINE || code === NEXT_SEGMENT) {
      if (code === NEXT_LINE) [line, column] = [line + 1, 0]
      position = 0
      at += 1
      continue
    }
    let value = 0
    let digit = CONTINUES
    for (let weight = 1; digit >= CONTINUES; weight *= CONTINUES) {
      digit = valueOfDigit[mappings.charCodeAt(at)] ?? 0
      value += (digit % CONTINUES) * weight
      at += 1
    }
    const change = value % 2 === 1 ? -(value - 1) / 2 : value / 2
    if (position === 0) column += change
    else if (position === 1) source += change
    else if (position === 2) sourceLine += change
    else if (position === 3) {
      sourceColumn += change
      if (lines.has(line)) yield { line, column, source, sourceLine, sourceColumn }
    }
    position += 1
  }
}

/** @returns for each place its own, or undefined where the bundle has something that is in no source */
export const placesInSources = (map: SourceMapText, places: readonly Place[]): (SourcePlace | undefined)[] => {
  const found = places.map((): SourcePlace | undefined => undefined)
  const onLine = Map.groupBy(places.keys(), index => places[index]?.line)
  const lines = new Set(places.map(({ line }) => line - 1))
  for (const segment of segmentsOf(map.mappings, lines))
    for (const index of onLine.get(segment.line + 1) ?? []) {
      const source = map.sources[segment.source]
      if (segment.column + 1 <= (places[index]?.column ?? 0) && source !== undefined)
        found[index] = { source, line: segment.sourceLine + 1, column: segment.sourceColumn + 1 }
    }
  return found
}

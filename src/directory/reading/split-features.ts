// The text of a GeoJSON FeatureCollection, piece by piece → the text of each of its features, and the line on which it begins. Only
// brackets and quotes are looked at, and only one feature is kept: a library would build everything out of tokens, and neither
// bounds what it keeps nor tells lines.
import { importRefused, LONGEST_ROW } from './raw-row.ts'

interface FoundFeature {
  readonly text: string
  readonly line: number
}

export interface FeatureSplitter {
  /** Features before what is broken are given first. */
  take(text: string): readonly FoundFeature[]
  /** @throws {Fault} `import_refused` if something is broken in what was taken */
  check(): void
  /** @throws {Fault} `import_refused` if something is missing at the end */
  end(): void
}

const code = (character: string): number => character.charCodeAt(0)
const [QUOTE, BACKSLASH, NEWLINE, COLON, COMMA] = [code('"'), code('\\'), code('\n'), code(':'), code(',')]
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [code('{'), code('}'), code('['), code(']')]
/** Enough to tell a name from "features". */
const LONGEST_NAME = 16

const isSpace = (character: number): boolean => character <= 32 || character === 0xfeff

export const createFeatureSplitter = (): FeatureSplitter => {
  let line = 1
  let depth = 0
  let inText = false
  let isEscaped = false
  /** The text at the level of the collection that was read last, and the name that it turned out to be. */
  let text = ''
  let name = ''
  let state: 'before' | 'members' | 'features' | 'after' = 'before'
  let hasFeatures = false
  let began: { line: number; kept: string } | undefined

  const broken = (why: string): Error =>
    importRefused(`Line ${line}: ${why} This is no GeoJSON FeatureCollection; what follows cannot be read.`)

  const readText = (character: number): void => {
    if (isEscaped) isEscaped = false
    else if (character === BACKSLASH) isEscaped = true
    else if (character === QUOTE) inText = false
    if (inText && state === 'members' && depth === 1 && text.length < LONGEST_NAME)
      text += String.fromCharCode(character)
  }

  const open = (character: number): void => {
    depth += 1
    if (depth === 1 && (state !== 'before' || character !== OPEN))
      throw broken('something else than one object is there.')
    if (depth === 1) state = 'members'
    else if (depth === 2 && state === 'members' && character === OPEN_LIST && name === 'features') {
      state = 'features'
      hasFeatures = true
    }
  }

  /** @returns whether a feature ends here */
  const close = (): boolean => {
    depth -= 1
    if (depth < 0) throw broken('a bracket closes that never opened.')
    if (depth === 0) state = 'after'
    if (depth === 1 && state === 'features') state = 'members'
    return depth === 2 && state === 'features'
  }

  const scan = (piece: string, found: FoundFeature[]): void => {
    let start = 0
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece.charCodeAt(index)
      if (character === NEWLINE) line += 1
      if (inText) readText(character)
      else if (character === QUOTE) {
        inText = true
        text = ''
        if (depth === 0 || (depth === 2 && state === 'features')) throw broken('a text stands where a feature belongs.')
      } else if (character === OPEN || character === OPEN_LIST) {
        open(character)
        if (depth === 3 && state === 'features' && began === undefined) {
          if (character !== OPEN) throw broken('a list stands where a feature belongs.')
          began = { line, kept: '' }
          start = index
        }
      } else if (character === CLOSE || character === CLOSE_LIST) {
        if (close() && began !== undefined) {
          found.push({ line: began.line, text: began.kept + piece.slice(start, index + 1) })
          began = undefined
        }
      } else if (character === COLON && depth === 1) name = text
      else if (began === undefined && !isSpace(character) && character !== COMMA && depth !== 1) {
        if (depth === 0 || (depth === 2 && state === 'features'))
          throw broken('something else than a feature is there.')
      }
    }
    if (began !== undefined) began.kept += piece.slice(start)
    if ((began?.kept.length ?? 0) > LONGEST_ROW)
      throw broken(`the feature is longer than ${LONGEST_ROW.toLocaleString('en')} characters.`)
  }

  let fault: unknown
  return {
    take: piece => {
      const found: FoundFeature[] = []
      try {
        scan(piece, found)
      } catch (error) {
        fault = error
      }
      return found
    },
    check: () => {
      if (fault !== undefined) throw fault
    },
    end: () => {
      if (state !== 'after')
        throw importRefused(
          `The file ends on line ${line} in the middle of its FeatureCollection: it was cut off. The features before that were read.`,
        )
      if (!hasFeatures) throw importRefused('The file has no "features": this is no GeoJSON FeatureCollection.')
    },
  }
}

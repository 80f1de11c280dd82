// Loaded first by every part of the bundle: stack traces name the files and lines of the sources, not those of the bundle. Not Node's own
// support for source maps, which keeps 75 MiB of them in memory.
import { readFileSync } from 'node:fs'
import { placesInSources, type SourceMapText } from './source-map.ts'

/** Written by `make-bundle.ts`. */
declare const BUNDLE_FOLDER: string

/** Each place is looked up once. There are no more than there are calls in the program; this bounds it all the same. */
const MOST_KEPT = 5000
const kept = new Map<string, string>()

const escaped = BUNDLE_FOLDER.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const placeInBundle = new RegExp(`${escaped}([\\w./-]+\\.mjs):(\\d+):(\\d+)`, 'g')

interface Named {
  readonly text: string
  readonly line: number
  readonly column: number
}

const lookUp = (file: string, named: readonly Named[]): void => {
  const url = new URL(`${file}.map`, BUNDLE_FOLDER)
  const map = JSON.parse(readFileSync(url, 'utf8')) as SourceMapText
  for (const [index, place] of placesInSources(map, named).entries()) {
    const { text = '' } = named[index] ?? {}
    const source = place && `${new URL(place.source, url).href}:${place.line}:${place.column}`
    if (kept.size < MOST_KEPT) kept.set(text, source ?? text)
  }
}

const lookUpAll = (trace: string): void => {
  const found = [...trace.matchAll(placeInBundle)].filter(([text]) => !kept.has(text))
  const byFile = Map.groupBy(found, ([, file = '']) => file)
  for (const [file, places] of byFile)
    lookUp(
      file,
      places.map(([text, , line, column]) => ({ text, line: Number(line), column: Number(column) })),
    )
}

Error.prepareStackTrace = (error, calls) => {
  const trace = calls.map(call => `\n    at ${call}`).join('')
  try {
    lookUpAll(trace)
  } catch {
    // Without its source map, as while an older bundle is being removed, a trace is still a trace.
  }
  return `${Error.prototype.toString.call(error)}${trace.replace(placeInBundle, text => kept.get(text) ?? text)}`
}

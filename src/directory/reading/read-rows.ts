// A file → its rows, whichever of the three formats it has: CSV, a GeoJSON FeatureCollection, or features line by line.
import { readCsvRows } from './csv-rows.ts'
import { RECORD_SEPARATOR, readFeatureLines } from './feature-lines.ts'
import { readFeature } from './feature-row.ts'
import { type OpenedFile, openFile } from './open-file.ts'
import { importRefused, type RawRow, type RawRows } from './raw-row.ts'
import { createFeatureSplitter } from './split-features.ts'

export interface DirectoryFile extends Pick<OpenedFile, 'size' | 'bytesRead' | 'close'> {
  readonly format: 'csv' | 'geojson' | 'geojson-lines'
  readonly rows: RawRows
}

async function* readCollection(texts: AsyncIterable<string>): AsyncGenerator<readonly RawRow[]> {
  const splitter = createFeatureSplitter()
  for await (const text of texts) {
    yield splitter.take(text).map(found => readFeature(found.text, found.line))
    splitter.check()
  }
  splitter.end()
}

const readers = { csv: readCsvRows, geojson: readCollection, 'geojson-lines': readFeatureLines } as const

/** A whole feature on the first line means that each line is one. */
const formatOf = (beginning: string): DirectoryFile['format'] => {
  const text = beginning.replaceAll(RECORD_SEPARATOR, '').trimStart()
  if (!text.startsWith('{')) return 'csv'
  const [line = ''] = text.split('\n', 1)
  return ['', 'type'].includes(readFeature(line, 1).unreadable?.column ?? 'none') ? 'geojson' : 'geojson-lines'
}

/** @throws {Fault} `import_refused` */
export const openDirectoryFile = async (path: string): Promise<DirectoryFile> => {
  const { beginning, texts, ...file } = await openFile(path)
  if (beginning.trim() === '' && file.size !== undefined && file.size < 1000) {
    file.close()
    throw importRefused(`${path} is empty.`)
  }
  const format = formatOf(beginning)
  return { ...file, format, rows: readers[format](texts) }
}

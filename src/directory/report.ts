// What became of rows → a CSV file, as they come; without one, only the first few are kept, for the terminal.

import { once } from 'node:events'
import { createWriteStream, existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeCsvRow } from '../base/csv-text.ts'
import { importRefused } from './reading/raw-row.ts'
import type { ReportLine } from './storing/import-source.ts'

export interface Report {
  write(lines: readonly ReportLine[]): Promise<void>
  readonly first: readonly ReportLine[]
  close(): Promise<void>
}

const MOST_SHOWN = 10
const header = ['outcome', 'line', 'source_id', 'column', 'reason', 'masjid_id']

const cellsOf = ({ happened, line, sourceId, column, reason, masjidId }: ReportLine) =>
  [happened, line, sourceId, column, reason, masjidId] as const

const isSameFile = (one: string, other: string): boolean => existsSync(one) && realpathSync(one) === realpathSync(other)

/** @throws {Fault} `import_refused` */
export const openReport = async (path: string | undefined, file: string): Promise<Report> => {
  const first: ReportLine[] = []
  const keep = (lines: readonly ReportLine[]): void => {
    first.push(...lines.slice(0, MOST_SHOWN - first.length))
  }
  if (path === undefined) return { first, write: async lines => keep(lines), close: async () => undefined }
  if (isSameFile(resolve(path), resolve(file)))
    throw importRefused('The report would overwrite the file that is imported.')
  const stream = createWriteStream(path)
  await once(stream, 'open').catch(error => {
    throw importRefused(`The report ${path} cannot be written: ${(error as Error).message}.`, error)
  })
  const write = async (text: string): Promise<void> => {
    if (!stream.write(text)) await once(stream, 'drain')
  }
  await write(writeCsvRow(header))
  return {
    first,
    write: async lines => {
      keep(lines)
      if (lines.length > 0) await write(lines.map(line => writeCsvRow(cellsOf(line))).join(''))
    },
    close: () =>
      new Promise((done, fail) => {
        stream.once('error', fail)
        stream.end(() => done())
      }),
  }
}

// An account → a ZIP of everything kept about the person, written piece by piece while it is read: nothing is stored, and memory
// does not grow with the data.
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { User } from '../../accounts/users.ts'
import type { Queryable } from '../../db/database.ts'
import { hasSubjects } from '../own-table.ts'
import { findPerson } from '../person.ts'
import { readOwnTables } from '../read-tables.ts'
import { type ExportedSource, exportedTable } from './exported-table.ts'
import { writeReadMe } from './read-me.ts'
import { readsAtMasjids } from './reads-at-masjids.ts'
import { writeCsvFile, writeJsonFile } from './write-source.ts'

const findSources = async (queryable: Queryable, userId: string): Promise<ExportedSource[]> => {
  const person = await findPerson(queryable, userId, { alone: false })
  const tables = (await readOwnTables(queryable)).filter(hasSubjects)
  return [...tables.map(table => exportedTable(queryable, table, person)), readsAtMasjids(queryable, person)]
}

export interface ExportInput {
  readonly user: User
  readonly baseUrl: string
}

/** Opened when its turn comes: only one file is read at a time. */
const addFiles = (
  zip: ZipFile,
  mtime: Date,
  files: readonly (readonly [string, () => AsyncIterable<string>])[],
): void => {
  const output = zip.outputStream as Readable
  let reading: Readable | undefined
  for (const [name, write] of files)
    zip.addReadStreamLazy(name, { mtime }, give => {
      reading = Readable.from(write(), { objectMode: false })
      // The library does not listen, and an error that nobody hears ends the process.
      reading.on('error', error => output.destroy(error))
      give(null, reading)
    })
  // Whoever breaks the download off ends the reading too.
  output.once('close', () => reading?.destroy())
}

export const exportPerson = async (queryable: Queryable, { user, baseUrl }: ExportInput): Promise<Readable> => {
  const sources = await findSources(queryable, user.id)
  const zip = new ZipFile()
  const at = new Date()
  const names = sources.map(({ name }) => name)
  zip.addBuffer(Buffer.from(writeReadMe(user.language, { email: user.email, baseUrl, at, names })), 'README.txt', {
    mtime: at,
  })
  addFiles(
    zip,
    at,
    sources.flatMap(source => [
      [`${source.name}.json`, () => writeJsonFile(source)] as const,
      [`${source.name}.csv`, () => writeCsvFile(source)] as const,
    ]),
  )
  zip.end()
  return zip.outputStream as Readable
}

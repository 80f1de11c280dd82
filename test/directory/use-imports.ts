// Files of a directory, and the command that imports them, for tests.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { TEST_SECRET, type TestMinaret } from '../support/minaret.ts'
import { runCommand, temporaryFolder } from '../support/process.ts'

export interface Counts {
  readonly read: number
  readonly added: number
  readonly updated: number
  readonly unchanged: number
  readonly duplicates: number
  readonly kept: number
  readonly refused: number
  readonly gone: number
  readonly deleted: number
}

export interface Ran {
  readonly status: number
  readonly stderr: string
  readonly counts: Partial<Counts>
  /** Lines of the report, without its header: outcome, line, source_id, column, reason, masjid_id. */
  readonly report: readonly string[]
}

export const HEADER = 'source_id,name,address,city,country,latitude,longitude'

/** A row of its own place: the number is degrees of longitude. */
export const rowOf = (id: string, place: number, name = `Masjid ${id}`): string =>
  `${id},${name},${place} Street,Town ${id},PK,33.5,${place}`

export const csv = (...rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`

/** Only what is not 0. */
export const happened = ({ counts }: Ran): Partial<Counts> =>
  Object.fromEntries(
    Object.entries(counts).filter(([name, count]) => count !== 0 && typeof count === 'number' && name !== 'seconds'),
  )

export const useImports = (minaret: () => Pick<TestMinaret, 'databaseUrl'>) => {
  let folder: ReturnType<typeof temporaryFolder> | undefined
  before(() => {
    folder = temporaryFolder()
  })
  after(() => folder?.remove())
  const pathOf = (name: string): string => join(folder?.path ?? '', name)
  const environment = (): Record<string, string> => ({
    DATABASE_URL: minaret().databaseUrl,
    MINARET_SECRET: TEST_SECRET,
  })
  let count = 0
  const importFile = async (path: string, source: string, ...options: readonly string[]): Promise<Ran> => {
    count += 1
    const report = pathOf(`report-${count}.csv`)
    const line = ['masjids', 'import', path, '--source', source, '--licence', 'ODbL 1.0', '--report', report, '--json']
    const { status, stdout, stderr } = await runCommand([...line, ...options], environment())
    const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\r\n').slice(1, -1) : []
    return { status, stderr, counts: JSON.parse(stdout), report: lines }
  }
  return {
    pathOf,
    environment,
    importFile,
    importText: (text: string | Buffer, source: string, ...options: readonly string[]): Promise<Ran> => {
      count += 1
      const path = pathOf(`file-${count}`)
      writeFileSync(path, text)
      return importFile(path, source, ...options)
    },
  }
}

// A file of a directory → rows of up_masjids. Rows are read and looked up while those before are written, a transaction for each batch, so
// that whatever ends an import, running it again goes on from there.
import { commandActor, recordAudit } from '../audit/record-audit.ts'
import { Fault } from '../base/fault.ts'
import { advisoryLocks } from '../db/advisory-locks.ts'
import type { Database, Queryable } from '../db/database.ts'
import { toDatabaseFault } from '../db/database-fault.ts'
import { sql } from '../db/sql.ts'
import { type Position, progressText } from './progress.ts'
import { inBatches } from './reading/in-batches.ts'
import { importRefused } from './reading/raw-row.ts'
import { type DirectoryFile, openDirectoryFile } from './reading/read-rows.ts'
import { openReport, type Report } from './report.ts'
import { findGone } from './storing/find-gone.ts'
import {
  type Counts,
  type Done,
  type ImportSource,
  noCounts,
  type ReportLine,
  sumCounts,
} from './storing/import-source.ts'
import { isTimeToLearn, learnSizes, MANY } from './storing/learn-sizes.ts'
import { forgetRead } from './storing/note-read.ts'
import { letWordsWait, takeWordsIn } from './storing/pend-indexes.ts'
import { prepareBatch } from './storing/prepare-batch.ts'
import { readChoices, readRowRules } from './storing/row-rules.ts'
import { type Storing, storeBatch } from './storing/store-batch.ts'

export interface Importing {
  readonly database: Database
  readonly file: string
  readonly source: ImportSource
  readonly isTrial: boolean
  /** How many masjids may be removed that the file no longer has; undefined: they are only reported. */
  readonly deleteMost: number | undefined
  readonly report: string | undefined
  readonly say: (text: string) => void
}

export interface Imported {
  readonly counts: Counts
  readonly seconds: number
  /** The first of what the report has. */
  readonly lines: readonly ReportLine[]
}

const SAY_EVERY_MS = 5000

const inform = (importing: Importing, file: DirectoryFile): ((counts: Counts) => void) => {
  const began = performance.now()
  let said = began
  return counts => {
    const now = performance.now()
    if (now - said < SAY_EVERY_MS) return
    said = now
    const position: Position = { counts, elapsedMs: now - began, bytesRead: file.bytesRead(), size: file.size }
    importing.say(progressText(position))
  }
}

interface Running extends Storing {
  readonly importing: Importing
  readonly report: Report
  /** What is done so far: also when it fails. */
  counts: Counts
}

const take = async (running: Running, { counts, lines }: Done): Promise<void> => {
  const before = running.counts
  running.counts = sumCounts(before, counts)
  if (before.added <= MANY && running.counts.added > MANY && !running.isTrial) await letWordsWait(running.database)
  if (!running.isTrial && isTimeToLearn(before.added, running.counts.added)) await learnSizes(running.database)
  await running.report.write(lines)
}

const storeAll = async (running: Running, file: DirectoryFile): Promise<void> => {
  const { database, importing } = running
  const preparing = {
    database,
    source: importing.source.name,
    choices: await readChoices(database),
    rules: await readRowRules(database),
  }
  const tell = inform(importing, file)
  let storing = Promise.resolve()
  try {
    for await (const rows of inBatches(file.rows)) {
      const batch = await prepareBatch(preparing, rows)
      await storing
      tell(running.counts)
      storing = storeBatch(running, batch).then(done => take(running, done))
      // Awaited with the next batch; until then an error would count as unhandled.
      storing.catch(() => undefined)
    }
  } finally {
    await storing
  }
}

const note = (
  database: Queryable,
  { source, file, isTrial }: Importing,
  action: string,
  counts?: Counts,
): Promise<void> =>
  isTrial
    ? Promise.resolve()
    : recordAudit(database, {
        action,
        actor: commandActor,
        detail: { source: source.name, licence: source.licence, file, ...counts },
      })

const run = async (running: Running, file: DirectoryFile, lock: Queryable): Promise<void> => {
  const { database, importing } = running
  await forgetRead(database)
  await note(database, importing, 'masjids.import_started')
  await storeAll(running, file)
  if (running.counts.read === 0) throw importRefused('The file has no rows.')
  // What was read is in a table that a crash of the database empties: then this connection is gone too.
  await lock.query(sql`select`)
  for await (const done of findGone(running, importing.deleteMost)) await take(running, done)
  await takeWordsIn(database)
  if (running.counts.added + running.counts.updated > MANY && !importing.isTrial) await learnSizes(database)
}

/** What was stored stays, and the next run goes on from there. */
const explain = ({ counts, importing }: Running, error: unknown): unknown => {
  const fault = toDatabaseFault(error)
  if (!(fault instanceof Fault)) return error
  const stays = importing.isTrial ? '' : ' What was stored stays; run the same command again to go on from there.'
  const so = `Stopped after ${counts.read.toLocaleString('en')} rows.${stays}`
  return new Fault({
    code: fault.code,
    status: fault.status,
    message: `${fault.message}\n${so}`,
    detail: fault.detail,
    cause: error,
  })
}

const runReported = async (importing: Importing, file: DirectoryFile, lock: Queryable): Promise<Imported> => {
  const began = performance.now()
  const report = await openReport(importing.report, importing.file)
  const running: Running = { ...importing, importing, report, counts: noCounts }
  try {
    await run(running, file, lock)
    await note(running.database, importing, 'masjids.imported', running.counts)
    await forgetRead(running.database)
  } catch (error) {
    await note(running.database, importing, 'masjids.import_stopped', running.counts).catch(() => undefined)
    await takeWordsIn(running.database).catch(() => undefined)
    throw explain(running, error)
  } finally {
    await report.close()
  }
  return { counts: running.counts, seconds: (performance.now() - began) / 1000, lines: report.first }
}

/** @throws {Fault} `import_refused`, or what the database says */
export const importDirectory = async (importing: Importing): Promise<Imported> => {
  const file = await openDirectoryFile(importing.file)
  try {
    return await importing.database.transaction(async lock => {
      const row = await lock.first<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${advisoryLocks.directoryImport}) as free`,
      )
      if (row?.free !== true) throw importRefused('Another import is running. Wait until it ends, or end it.')
      return runReported(importing, file, lock)
    })
  } finally {
    file.close()
  }
}

// A followed source that is due → fetched, read as it was confirmed, and published; or kept for somebody to look at.
import { sha256 } from '../../base/secrets.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { FetchRefused } from '../../outbound/fetch-refused.ts'
import type { Dial } from '../../outbound/guarded-fetch.ts'
import { type Sheet, SheetRefused } from '../../sheets/sheet.ts'
import { fetchSheet, type Validators } from '../fetch-sheet.ts'
import type { TimetableEntry } from '../read/read-timetable.ts'
import type { SheetReader } from '../reading/sheet-reader.ts'
import { type ReviewedSheet, reviewSheet } from '../review/review-sheet.ts'
import { keepDraft } from '../store/drafts.ts'
import { type DueSource, noteFailure, noteSuccess } from './followed.ts'

export interface FollowInput {
  readonly database: Database
  /** How sources are fetched; only from the public internet unless a test says otherwise. */
  readonly dial?: Dial | undefined
  readonly sheets: SheetReader
}

const digestOf = (bytes: Buffer): string => sha256(bytes.toString('latin1')).toString('hex')

const publish = (database: Database, source: DueSource, entries: readonly TimetableEntry[]) =>
  database.query(sql`
    select id from public.store_timetable(${source.masjidId}, ${source.name}, ${JSON.stringify(entries)}, ${source.id})`)

/** What a person would want to see first. The day that clocks change comes every year; it is no reason to wait. */
const isDoubtful = ({ questions, problems, compared }: ReviewedSheet): boolean =>
  questions.length > 0 ||
  problems.length > 0 ||
  compared.entries.length === 0 ||
  compared.missing.length > 0 ||
  compared.entries.some(({ change, doubts }) => change !== 'same' && doubts.some(doubt => doubt !== 'clocks_change'))

/** What it gave before, and nobody looked at, counts no longer. */
const removeDrafts = (database: Database, { id }: DueSource): Promise<number> =>
  database.run(sql`delete from public.timetable_drafts where source_id = ${id}`)

const waitForPerson = async (database: Database, source: DueSource, sheet: Sheet): Promise<void> => {
  const { guessed: _, ...reading } = source.reading
  await keepDraft(database, {
    masjidId: source.masjidId,
    userId: null,
    name: source.name,
    sheet,
    reading,
    sourceId: source.id,
  })
}

const take = async ({ database, sheets }: FollowInput, source: DueSource, bytes: Buffer): Promise<void> => {
  const reader = sheets.of(source.masjidId)
  const sheet = await reader.file(bytes, source.timezone)
  const guess = await reader.columns(sheet)
  const moved = guess.columns.join() !== source.reading.guessed.join()
  const reading = { ...source.reading, first: guess.first }
  const masjid = { id: source.masjidId, timezone: source.timezone }
  const reviewed = await reviewSheet(database, reader, { masjid, sheet, reading })
  await removeDrafts(database, source)
  if (moved || isDoubtful(reviewed)) return waitForPerson(database, source, sheet)
  if (reviewed.compared.entries.some(({ change }) => change !== 'same'))
    await publish(
      database,
      source,
      reviewed.compared.entries.map(({ change: _, doubts: __, ...entry }) => entry),
    )
}

const refresh = async (input: FollowInput, source: DueSource): Promise<Validators & { hash: string | null }> => {
  const fetched = await fetchSheet(source.address, source, input.dial)
  if (fetched.kind === 'same') return { etag: fetched.etag, lastModified: fetched.lastModified, hash: source.hash }
  const hash = digestOf(fetched.bytes)
  if (hash !== source.hash) await take(input, source, fetched.bytes)
  return { etag: fetched.etag, lastModified: fetched.lastModified, hash }
}

export const followSource = async (input: FollowInput, source: DueSource): Promise<void> => {
  try {
    await noteSuccess(input.database, source, await refresh(input, source))
  } catch (error) {
    if (error instanceof FetchRefused) return noteFailure(input.database, source, error)
    if (error instanceof SheetRefused) return noteFailure(input.database, source, error)
    throw error
  }
}

// Announcements that start or end by the clock → lines in the change log, for those who keep a copy or wait for changes.
import type { Logger } from '../base/log.ts'
import { dataSchemas } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { unwatched, type WatchJob } from '../metrics/job-book.ts'

interface DueInput {
  readonly database: Database
  readonly log: Logger
  readonly everyMs?: number
  readonly watch?: WatchJob | undefined
}

/** How late a line may be. */
const LOOK_EVERY_MS = 1000

/** Every process looks; the database lets one of them write. Returns how many lines there were. */
export const noteDue = async (database: Database): Promise<number> => {
  let noted = 0
  for (const schema of dataSchemas) {
    const row = await database.first<{ noted: number }>(
      sql`select ${identifier(schema, 'note_due_announcements')}() as noted`,
    )
    noted += row?.noted ?? 0
  }
  return noted
}

export const startNotingDue = (input: DueInput): { close(): Promise<void> } => {
  const { database, log, everyMs = LOOK_EVERY_MS, watch = unwatched } = input
  let working: Promise<unknown> | undefined
  const look = (): void => {
    working ??= watch('due_announcements', () => noteDue(database))
      .catch(error => log.warn({ err: error }, 'the announcements that are due could not be logged'))
      .finally(() => {
        working = undefined
      })
  }
  const timer = setInterval(look, everyMs).unref()
  return {
    close: async () => {
      clearInterval(timer)
      await working
    },
  }
}

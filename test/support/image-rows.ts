// Images as the database has them, and the clock of their next try moved forward.
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { findImageStatus, type ImageStatus } from '../../src/images/images.ts'
import { within } from './oauth.ts'

export interface ImageRow {
  readonly state: string
  readonly reason: string | null
  readonly status: number | null
  readonly attempts: number
  /** Until the next try. */
  readonly minutes: number
}

export const imageRow = async (database: Database, address: string): Promise<ImageRow | undefined> =>
  database.first<ImageRow>(sql`
    select state, reason, status, attempts, round(extract(epoch from try_at - now()) / 60)::int as minutes
    from minaret.images where address = ${address}`)

export const ask = (database: Database, address: string): Promise<unknown> =>
  database.query(sql`select minaret.ask_for_image(${address})`)

/** As if the time had come; a running job is told. */
export const makeDue = async (database: Database, address: string): Promise<void> => {
  await database.run(sql`update minaret.images set try_at = now() where address = ${address}`)
  await database.query(sql`select pg_notify('minaret_images', '')`)
}

export const untilImage = (
  database: Database,
  address: string,
  isSo: (status: ImageStatus) => boolean,
): Promise<void> =>
  within(60_000, address, async () => {
    const status = await findImageStatus(database, address)
    return status !== undefined && isSo(status)
  })

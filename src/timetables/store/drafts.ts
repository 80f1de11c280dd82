// Sheets that staff work on before they publish: kept for some days, and not many for one masjid.
import { isUuid } from '../../base/uuid.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Sheet } from '../../sheets/sheet.ts'
import type { Reading } from '../read/roles.ts'

export interface Draft {
  readonly id: string
  readonly name: string
  readonly sheet: Sheet
  /** Null until somebody has looked at the columns. */
  readonly reading: Reading | null
  /** Where it was read from, if it is to be followed. */
  readonly address: string | null
  /** The followed source that gave it. */
  readonly sourceId: string | null
  readonly createdAt: Date
}

export type DraftLine = Pick<Draft, 'id' | 'name' | 'createdAt' | 'sourceId'>

export interface NewDraft {
  readonly masjidId: string
  readonly userId: string | null
  readonly name: string
  readonly sheet: Sheet
  readonly reading?: Reading
  readonly address?: string
  readonly sourceId?: string
}

const MOST_DRAFTS = 20

/**
 * The oldest of too many make room, and those of all masjids that are a week old are removed. What a followed source gave
 * waits until somebody looks: it is not given again.
 */
const clear = (queryable: Queryable, masjidId: string): Promise<number> =>
  queryable.run(sql`
    delete from public.timetable_drafts
    where source_id is null and (created_at < now() - interval '7 days' or id in (
      select id from public.timetable_drafts where masjid_id = ${masjidId} and source_id is null
      order by created_at desc, id offset ${MOST_DRAFTS - 1}))`)

export const keepDraft = async (queryable: Queryable, draft: NewDraft): Promise<string> => {
  await clear(queryable, draft.masjidId)
  const row = await queryable.first<{ id: string }>(sql`
    insert into public.timetable_drafts (masjid_id, created_by, name, sheet, reading, address, source_id)
    values (${draft.masjidId}, ${draft.userId}, ${draft.name}, ${JSON.stringify(draft.sheet)},
      ${draft.reading === undefined ? null : JSON.stringify(draft.reading)}, ${draft.address ?? null}, ${draft.sourceId ?? null})
    returning id`)
  if (row === undefined) throw new Error('a draft was not written')
  return row.id
}

/** Of this masjid only: the id of another's is as good as none. */
export const findDraft = async (queryable: Queryable, masjidId: string, id: string): Promise<Draft | undefined> =>
  isUuid(id)
    ? queryable.first<Draft>(sql`
        select id, name, sheet, reading, address, source_id as "sourceId", created_at as "createdAt"
        from public.timetable_drafts where id = ${id} and masjid_id = ${masjidId}`)
    : undefined

export const listDrafts = (queryable: Queryable, masjidId: string): Promise<DraftLine[]> =>
  queryable.query<DraftLine>(sql`
    select id, name, source_id as "sourceId", created_at as "createdAt" from public.timetable_drafts
    where masjid_id = ${masjidId} and (source_id is not null or created_at >= now() - interval '7 days') order by created_at desc, id`)

export const saveReading = (queryable: Queryable, { id }: Pick<Draft, 'id'>, reading: Reading): Promise<number> =>
  queryable.run(sql`update public.timetable_drafts set reading = ${JSON.stringify(reading)} where id = ${id}`)

export const removeDraft = (queryable: Queryable, { id }: Pick<Draft, 'id'>): Promise<number> =>
  queryable.run(sql`delete from public.timetable_drafts where id = ${id}`)

// Registrations that somebody has begun: kept as typed, for their author alone, until they are sent or discarded.
import { isUuid } from '../base/uuid.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { registrationRefused } from './faults.ts'

/** By the names of the form's fields. */
export type DraftForm = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Draft {
  readonly id: string
  readonly form: DraftForm
  readonly updatedAt: Date
}

interface OfAuthor {
  readonly id: string
  readonly userId: string
}

const LONGEST = 25_000

/** The author chose the id when the form was opened. @returns whether it is theirs. @throws {Fault} `registration_refused` */
export const saveDraft = async (database: Queryable, { id, userId }: OfAuthor, form: DraftForm): Promise<boolean> => {
  const text = JSON.stringify(form)
  if (!isUuid(id) || text.length > LONGEST) throw registrationRefused('This is too long for a draft.')
  const saved = await database.run(sql`
    insert into minaret.app_drafts as d (id, user_id, form) values (${id}, ${userId}, ${text}::jsonb)
    on conflict (id) do update set form = excluded.form, updated_at = now() where d.user_id = excluded.user_id`)
  return saved === 1
}

export const listDrafts = (database: Queryable, userId: string): Promise<Draft[]> =>
  database.query<Draft>(sql`
    select id, form, updated_at as "updatedAt" from minaret.app_drafts
    where user_id = ${userId} order by updated_at desc limit 20`)

export const findDraft = (database: Queryable, { id, userId }: OfAuthor): Promise<Draft | undefined> =>
  database.first<Draft>(sql`
    select id, form, updated_at as "updatedAt" from minaret.app_drafts where id::text = ${id} and user_id = ${userId}`)

export const discardDraft = (database: Queryable, { id, userId }: OfAuthor): Promise<number> =>
  database.run(sql`delete from minaret.app_drafts where id::text = ${id} and user_id = ${userId}`)

// Notes that reviewers keep about an app. Only the review desk reads them.
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import { withoutUnseen } from '../../base/plain-text.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { explainDatabaseFault } from '../faults.ts'

export interface AppNote {
  readonly id: string
  readonly authorName: string
  readonly body: string
  readonly writtenAt: Date
}

/** The latest 200, oldest first. */
export const listNotes = (queryable: Queryable, appId: string): Promise<AppNote[]> =>
  queryable.query<AppNote>(sql`
    select * from (
      select n.id::text, u.name as "authorName", n.body, n.written_at as "writtenAt"
      from minaret.app_notes n join minaret.users u on u.id = n.author_id
      where n.app_id = ${appId} order by n.id desc limit 200) as latest
    order by "writtenAt", id::bigint`)

export interface NoteInput {
  readonly appId: string
  readonly actor: Actor & { readonly userId: string }
  readonly body: string
}

/** The audit log says that there is a note, not what it says. */
export const writeNote = (database: Database, { appId, actor, body }: NoteInput): Promise<void> =>
  database
    .transaction(async transaction => {
      await transaction.run(sql`
        insert into minaret.app_notes (app_id, author_id, body)
        values (${appId}, ${actor.userId}, ${withoutUnseen(body).trim()})`)
      await recordAudit(transaction, { action: 'app.note_written', actor, appId })
    })
    .catch(explainDatabaseFault)

// What the team of an app and its reviewers have written to each other, oldest first.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export type MessageSide = 'team' | 'reviewer'

export interface AppMessage {
  readonly id: string
  readonly side: MessageSide
  readonly kind: 'message' | 'changes_requested' | 'sent_again'
  /** The change request it is about; null for the app itself. */
  readonly changeId: string | null
  readonly authorName: string
  readonly body: string
  readonly writtenAt: Date
  /** What the app asked for when changes were requested, by column name. */
  readonly snapshot: Readonly<Record<string, unknown>>
}

/** The latest 200. */
export const listMessages = (queryable: Queryable, appId: string): Promise<AppMessage[]> =>
  queryable.query<AppMessage>(sql`
    select * from (
      select m.id::text, m.side, m.kind, m.change_id as "changeId", u.name as "authorName", m.body,
        m.written_at as "writtenAt", m.snapshot
      from minaret.app_messages m join minaret.users u on u.id = m.author_id
      where m.app_id = ${appId} order by m.id desc limit 200) as latest
    order by "writtenAt", id::bigint`)

// Who joined the team of an app, changed or left it: the entries of the audit log, newest first.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export interface TeamEvent {
  readonly action: string
  readonly at: Date
  /** Null for the operator at the command line. */
  readonly by: string | null
  readonly who: string | null
  readonly role: string | null
}

export const listTeamEvents = (queryable: Queryable, appId: string): Promise<TeamEvent[]> =>
  queryable.query<TeamEvent>(sql`
    select log.action, log.at, actor.name as by, concerned.name as who, log.detail ->> 'role' as role
    from minaret.audit_log as log left join minaret.users as actor on actor.id = log.actor_id
      left join minaret.users as concerned on concerned.id = log.user_id
    where log.app_id = ${appId} and (log.action like 'app.member\\_%' or log.action = 'app.handed_over')
    order by log.at desc, log.id desc limit 100`)

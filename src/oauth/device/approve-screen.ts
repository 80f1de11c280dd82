// A person who looks after the screens of a masjid allows one → a grant of the masjid, and the screen with its name.
import type { Session } from '../../accounts/sessions.ts'
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import { Fault } from '../../base/fault.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { type AskingDevice, decidable, deviceRequestExpired } from './device-request.ts'

export interface NewScreen {
  readonly masjidId: string
  readonly name: string
}

interface Approval extends NewScreen {
  readonly id: string
  readonly session: Session
  readonly address: string
}

const explain = (error: unknown): never => {
  if (error instanceof Error && 'code' in error && error.code === 'MN003')
    throw new Fault({ code: 'forbidden', status: 403, message: 'This needs the capability "screens" at the masjid.' })
  throw error
}

/** PostgreSQL decides who may: see check_new_screen in migrations/identity/0141_screens.sql. */
export const approveScreen = (
  database: Database,
  { client, request }: AskingDevice,
  { id, session, address, masjidId, name }: Approval,
): Promise<void> =>
  database
    .transaction(async transaction => {
      const userId = session.user.id
      const paired = await transaction.run(sql`
        with code as (
          select code.id from minaret.device_codes as code where ${decidable(id, session)} for update
        ), granted as (
          insert into minaret.grants (app_id, masjid_id, scopes, auth_time)
          select ${client.appId}::uuid, ${masjidId}::uuid, ${request.scopes}::text[], now() from code returning id
        ), screen as (
          insert into minaret.screens (grant_id, masjid_id, name, created_by)
          select id, ${masjidId}::uuid, ${name}, ${userId}::uuid from granted returning grant_id
        )
        update minaret.device_codes as device set state = 'approved', decided_at = now(), grant_id = screen.grant_id
        from screen, code where device.id = code.id`)
      if (paired === 0) throw deviceRequestExpired()
      const actor: Actor = { kind: 'user', userId, address }
      const detail = { masjid_id: masjidId, screen: name, device_address: request.address }
      await recordAudit(transaction, { action: 'screen.paired', actor, appId: client.appId, detail })
    })
    .catch(explain)

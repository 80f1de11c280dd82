// What the mail server said to an attempt → whether that is about this one mail, and final (RFC 5321 section 4.2.1);
// and the mails that were given up, for administrators.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** `relay`: nothing gets through. `put-off`: not to this recipient now. `final`: never to this recipient, or never this mail. */
export type MailFailure = 'relay' | 'put-off' | 'final'

/** A refused sign-in or sender would be refused for every mail. */
const ABOUT_ONE_MAIL = /^(RCPT TO|DATA)/

export const failureOf = (error: unknown): MailFailure => {
  const { responseCode, command } = error as { readonly responseCode?: unknown; readonly command?: unknown }
  if (typeof responseCode !== 'number' || !ABOUT_ONE_MAIL.test(String(command))) return 'relay'
  return responseCode >= 500 ? 'final' : 'put-off'
}

export interface GivenUpMail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly createdAt: Date
  readonly reason: string | null
}

const MOST_LISTED = 200

/** The newest first. */
export const listGivenUp = (database: Queryable): Promise<GivenUpMail[]> =>
  database.query<GivenUpMail>(sql`
    select id::text, recipient, subject, created_at as "createdAt", last_error as reason
    from minaret.outbox where sent_at is null and next_attempt_at = 'infinity'
    order by outbox.id desc limit ${MOST_LISTED}`)

/** @returns false if it is sent, or waits already. */
export const sendAgain = async (transaction: Queryable, id: string): Promise<boolean> => {
  const found = await transaction.run(sql`
    update minaret.outbox set next_attempt_at = now(), attempts = 0, put_off = false
    where id = ${id} and sent_at is null and next_attempt_at = 'infinity'`)
  if (found > 0) await transaction.run(sql`select pg_notify('minaret_outbox', '')`)
  return found > 0
}

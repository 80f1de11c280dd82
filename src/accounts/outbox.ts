// Mail waits in the database until it is sent, so that nothing is lost while the mail server is down.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { MailFailure } from './refused-mail.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Runs in the transaction of what the mail is about. The delivery job is notified on commit. */
export const enqueueMail = async (database: Queryable, { to, subject, text }: Mail): Promise<void> => {
  await database.run(sql`insert into minaret.outbox (recipient, subject, text) values (${to}, ${subject}, ${text})`)
  await database.run(sql`select pg_notify('minaret_outbox', '')`)
}

export interface OutboxMail extends Mail {
  readonly id: string
  readonly createdAt: Date
  readonly sentAt: Date | undefined
  readonly attempts: number
}

interface OutboxRow {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly created_at: Date
  readonly sent_at: Date | null
  readonly attempts: number
}

const toMail = (row: OutboxRow): OutboxMail => ({
  id: row.id,
  to: row.recipient,
  subject: row.subject,
  text: row.text,
  createdAt: row.created_at,
  sentAt: row.sent_at ?? undefined,
  attempts: row.attempts,
})

/** Newest first, for the outbox page in development. */
export const listOutbox = async (database: Queryable, limit = 50): Promise<OutboxMail[]> => {
  const rows = await database.query<OutboxRow>(sql`
    select id, recipient, subject, text, created_at, sent_at, attempts from minaret.outbox order by id desc limit ${limit}`)
  return rows.map(toMail)
}

/** Claims due mail for this process; others skip it in the meantime. */
export const claimMail = async (database: Queryable, limit: number): Promise<OutboxMail[]> => {
  const rows = await database.query<OutboxRow>(sql`
    update minaret.outbox set attempts = attempts + 1,
      next_attempt_at = now() + least(interval '1 minute' * power(2, attempts), interval '6 hours')
    where id in (select id from minaret.outbox where sent_at is null and next_attempt_at <= now()
      order by next_attempt_at limit ${limit} for update skip locked)
    returning id, recipient, subject, text, created_at, sent_at, attempts`)
  return rows.map(toMail)
}

/** Clears the text of sent mail: the links in it are secrets of the recipient. */
export const markSent = (database: Queryable, id: string): Promise<number> =>
  database.run(sql`
    update minaret.outbox set sent_at = now(), text = '', html = null, last_error = null where id = ${id}`)

const MOST_ATTEMPTS = 12

/** What was refused for good is given up at once, and listed for administrators. */
export const markFailed = (
  database: Queryable,
  mail: OutboxMail,
  { failure, reason }: { readonly failure: MailFailure; readonly reason: string },
): Promise<number> =>
  database.run(sql`
    update minaret.outbox set last_error = left(${reason}, 500), put_off = ${failure === 'put-off'},
      next_attempt_at = case when ${failure === 'final' || mail.attempts >= MOST_ATTEMPTS} then 'infinity' else next_attempt_at end
    where id = ${mail.id}`)

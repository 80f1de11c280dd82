// The mail sent to a person.
import type { Queryable } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'

export interface ReceivedMail {
  readonly subject: string
  readonly text: string
  /** Path and query of its link. */
  readonly link: string
}

/** The newest mail to this address. */
export const lastMailTo = async (database: Queryable, email: string): Promise<ReceivedMail> => {
  const mail = await database.first<{ subject: string; text: string }>(
    sql`select subject, text from minaret.outbox where recipient = ${email} order by id desc limit 1`,
  )
  if (mail === undefined) throw new Error(`No mail was written to ${email}.`)
  const link = /https?:\/\/[^/\s]+(\/\S*)/.exec(mail.text)?.[1] ?? ''
  return { ...mail, link }
}

export const countMailTo = async (database: Queryable, email: string): Promise<number> => {
  const row = await database.first<{ count: string }>(
    sql`select count(*) from minaret.outbox where recipient = ${email}`,
  )
  return Number(row?.count)
}

// A screen that asked, or listens → when and from where it was last in contact.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface Contact {
  readonly address: string
  readonly userAgent: string | undefined
}

/** At most once a minute, so that polling writes little. */
export const noteContact = (database: Queryable, grantId: string, contact: Contact): Promise<number> =>
  database.run(sql`
    update minaret.screens set seen_at = now(), seen_address = ${contact.address.slice(0, 100)},
      seen_agent = ${contact.userAgent?.slice(0, 500).toWellFormed() ?? null}
    where grant_id = ${grantId} and (seen_at is null or seen_at < now() - interval '1 minute')`)

export const noteContacts = (database: Queryable, grantIds: readonly string[]): Promise<number> =>
  database.run(sql`update minaret.screens set seen_at = now() where grant_id = any (${grantIds}::uuid[])`)

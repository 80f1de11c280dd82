// What tests of writing need besides rows: accounts, which decide whether a person may write at all.
import type { Queryable } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'

interface Account {
  readonly id: string
  readonly admin?: boolean
  readonly disabled?: boolean
}

export const account = (owner: Queryable, { id, admin = false, disabled = false }: Account): Promise<unknown> =>
  owner.run(sql`
    insert into minaret.users (id, email, name, is_admin, disabled_at)
    values (${id}, ${`${id}@example.org`}, 'Somebody', ${admin}, case when ${disabled} then now() end)`)

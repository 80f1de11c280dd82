// Digests of erased accounts → those that came back with a restored backup are erased again.
import { randomToken, sha256 } from '../../base/secrets.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { runUntilErased } from './run-erasure.ts'

/** Hexadecimal, in the order of erasing. */
export const listErased = async (queryable: Queryable): Promise<string[]> =>
  (
    await queryable.query<{ digest: string }>(
      sql`select encode(account_hash, 'hex') as digest from minaret.erased_accounts order by erased_at, account_hash`,
    )
  ).map(({ digest }) => digest)

/** @returns how many accounts had come back. */
export const eraseAgain = async (database: Database, digests: readonly string[]): Promise<number> => {
  const found = await database.transaction(async transaction => {
    const users = await transaction.query<{ id: string }>(sql`
      select id from minaret.users where erased_at is null
        and encode(sha256(convert_to(id::text, 'UTF8')), 'hex') = any (${digests}::text[]) for no key update`)
    for (const { id } of users) {
      await transaction.run(sql`
        insert into minaret.erasures (user_id, asked_by, due_at, token_hash)
        values (${id}, 'command', now(), ${sha256(randomToken(32))})
        on conflict (user_id) do update set due_at = least(erasures.due_at, now())`)
      await transaction.run(sql`update minaret.users set disabled_at = now() where id = ${id} and disabled_at is null`)
    }
    return users.map(({ id }) => id)
  })
  await runUntilErased(database, found)
  return found.length
}

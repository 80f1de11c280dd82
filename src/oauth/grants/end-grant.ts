// Ends an authorization and every token issued from it, in every process, within a second (a trigger notifies them).
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** Returns whether it was still active. */
export const endGrant = async (database: Queryable, grantId: string): Promise<boolean> =>
  (await database.run(sql`update minaret.grants set revoked_at = now() where id = ${grantId} and revoked_at is null`)) >
  0

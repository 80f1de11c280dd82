// Ends an authorization: every token that came of it, in every process, within a second (a trigger writes the news).
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** True where it was alive until now. */
export const endGrant = async (database: Queryable, grantId: string): Promise<boolean> =>
  (await database.run(sql`update minaret.grants set revoked_at = now() where id = ${grantId} and revoked_at is null`)) >
  0

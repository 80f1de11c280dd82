// The setting → the table that PostgreSQL asks which capabilities need a second factor.

import type { Capability } from '../base/capability-names.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** Nothing is written if it is as it was, so that every process can do this when it starts. */
export const guardCapabilities = async (queryable: Queryable, guarded: readonly Capability[]): Promise<void> => {
  await queryable.run(sql`
    insert into minaret.guarded_capabilities (capability) select unnest(${guarded}::text[]) on conflict do nothing`)
  await queryable.run(sql`delete from minaret.guarded_capabilities where capability <> all (${guarded}::text[])`)
}

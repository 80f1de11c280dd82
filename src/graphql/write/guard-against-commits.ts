// At a start → every table of the sandbox has the trigger that refuses commits of whoever only tries something.
import type { Database } from '../../db/database.ts'
import { givingWay, tryUntilFree } from '../../db/giving-way.ts'
import { sql } from '../../db/sql.ts'

export const guardAgainstCommits = async (database: Database): Promise<void> => {
  const giving = givingWay(database)
  const guardNext = () => giving.first<{ guarded: boolean }>(sql`select sandbox.guard_next_table() as guarded`)
  while ((await tryUntilFree(guardNext))?.guarded === true);
}

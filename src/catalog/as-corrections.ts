// A database → the same database for corrections of our own: the notifications that they cause name us.
import type { GivingWay } from '../db/giving-way.ts'
import { joinSql, quoteLiteral, rawSql } from '../db/sql.ts'

/** The event triggers read the setting; whoever made a correction need not read the structure again because of it. */
export const asCorrections = (database: GivingWay, by: string): GivingWay => {
  const name = rawSql(`select set_config('minaret.corrected_by', ${quoteLiteral(by)}, true)`)
  return {
    ...database,
    // Without parameters, as grants are, statements that are sent together are one transaction.
    run: statement => database.run(joinSql([name, statement], '; ')),
    transaction: work =>
      database.transaction(async transaction => {
        await transaction.run(name)
        return work(transaction)
      }),
  }
}

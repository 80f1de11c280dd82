// Who acts in a transaction of the owner, as the functions of the database see it.
import { Fault } from '../base/fault.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** The operator acts as an app that every masjid has as its own, for this transaction alone. */
export const actForAll = (transaction: Queryable): Promise<unknown> =>
  transaction.query(sql`
    select set_config('minaret.user_id', '', true), set_config('minaret.masjids', '*', true),
      set_config('minaret.own_masjids', '*', true)`)

export const actAs = (transaction: Queryable, userId: string): Promise<unknown> =>
  transaction.query(sql`
    select set_config('minaret.user_id', ${userId}, true), set_config('minaret.masjids', '{}', true),
      set_config('minaret.own_masjids', '{}', true)`)

/** Acts as a person who decides about capabilities at a masjid, or refuses. @throws {Fault} `forbidden` */
export const refuseUnlessManaging = async (transaction: Queryable, masjidId: string, userId: string): Promise<void> => {
  await actAs(transaction, userId)
  const row = await transaction.first<{ may: boolean }>(sql`
    select public.writing_all() is not null or ${masjidId}::uuid = any (public.writing_masjids('capabilities')) as may`)
  if (row?.may !== true)
    throw new Fault({
      code: 'forbidden',
      status: 403,
      message: 'This needs the capability "capabilities" at the masjid.',
    })
}

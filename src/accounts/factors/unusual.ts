// A sign-in → whether it is unusual: a browser set to a country that none of the person's was, or one network entering many accounts.
// There is no table of places here: what a browser says about itself, and what it did, has to do.
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Visit } from '../sessions.ts'
import { countedNetwork, regionOf } from '../visit-origin.ts'

/** Others who signed in from the same network within an hour. A family or an office is fewer. */
const MOST_OTHERS = 10
const HOUR_SECONDS = 3600

export const selectUnusual = (userId: string, visit: Visit): Sql => {
  const region = regionOf(visit.languages) ?? null
  const network = countedNetwork(visit.address) ?? null
  return sql`
    select ${region}::text is not null
        and coalesce((select bool_and(region <> ${region}) from minaret.sessions where user_id = ${userId}), false) as abroad,
      (select count(distinct user_id) from minaret.sessions where network = ${network} and user_id <> ${userId}
        and created_at > now() - make_interval(secs => ${HOUR_SECONDS})) >= ${MOST_OTHERS} as crowded`
}

/** Before the new session is there. */
export const isUnusual = async (transaction: Queryable, userId: string, visit: Visit): Promise<boolean> => {
  const row = await transaction.first<{ abroad: boolean; crowded: boolean }>(selectUnusual(userId, visit))
  return row?.abroad === true || row?.crowded === true
}

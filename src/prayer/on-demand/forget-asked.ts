// Masjids that nobody looks after and nobody asked for lately → without stored days again.
import { dateOf, dayNumberAt } from '../../base/civil-date.ts'
import { dataSchemas } from '../../db/data-schema.ts'
import type { Database } from '../../db/database.ts'
import { identifier, sql } from '../../db/sql.ts'

/** A few masjids in each statement. */
export const forgetAsked = async (database: Database, { now, days }: { now: Date; days: number }): Promise<void> => {
  const before = dateOf(dayNumberAt(now) - days)
  for (const schema of dataSchemas) {
    const forget = sql`select ${identifier(schema, 'forget_asked_days')}(${before}::date) as count`
    while (((await database.first<{ count: number }>(forget))?.count ?? 0) > 0);
  }
}

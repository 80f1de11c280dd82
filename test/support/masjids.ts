// A masjid for a test: the columns that matter are given, the rest is made up.
import type { Database, Queryable } from '../../src/db/database.ts'
import { identifier, sql } from '../../src/db/sql.ts'

export interface TestMasjid {
  readonly schema?: 'public' | 'sandbox'
  readonly name?: string
  readonly city?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly timezone?: string
  readonly calculation_method?: string
  readonly hijri_adjustment?: number
}

/** In Raleigh by default. Returns its id. */
export const insertMasjid = async (database: Queryable, given: TestMasjid = {}): Promise<string> => {
  const row = await database.first<{ id: string }>(sql`
    insert into ${identifier(given.schema ?? 'public', 'up_masjids')}
      (slug, name, address, city, state, country, latitude, longitude, timezone, calculation_method, hijri_adjustment)
    values ('m-' || gen_random_uuid(), ${given.name ?? 'Larkspur Lane Masjid'}, '1 Larkspur Lane', ${given.city ?? 'Raleigh'},
      'NC', 'US', ${given.latitude ?? 35.775}, ${given.longitude ?? -78.6336}, ${given.timezone ?? 'America/New_York'},
      ${given.calculation_method ?? 'NorthAmerica'}, ${given.hijri_adjustment ?? 0})
    returning id`)
  if (row === undefined) throw new Error('The masjid was not written.')
  return row.id
}

export interface ImportedMasjid {
  readonly id: string
  readonly slug: string
}

/** As an import of a directory makes them: nobody looks after it, and no days are stored. */
export const insertImported = (database: Database, given: TestMasjid = {}): Promise<ImportedMasjid> =>
  database.transaction(async transaction => {
    const id = await insertMasjid(transaction, given)
    const row = await transaction.first<ImportedMasjid & { readonly left: number }>(sql`
      select id, slug, ${identifier(given.schema ?? 'public', 'times_on_demand')}(array[id]) as left
      from ${identifier(given.schema ?? 'public', 'up_masjids')} where id = ${id}`)
    if (row?.left !== 1) throw new Error('The masjid is looked after.')
    return row
  })

export const countDays = async (database: Queryable, masjid: string): Promise<number> =>
  (
    await database.first<{ days: number }>(sql`
      select count(*)::int as days from public.pc_calculated_times where masjid_id = ${masjid}`)
  )?.days ?? 0

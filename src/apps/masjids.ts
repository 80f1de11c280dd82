// Which masjids an app can read, and which masjids' own app it is, as chosen by a reviewer.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { registrationRefused } from './faults.ts'

export interface MasjidChoice {
  /** `*` is every masjid. */
  readonly only: '*' | readonly string[]
  /** The app belongs to these masjids, and can also read people who did not agree to sharing. */
  readonly own: readonly string[]
}

export interface NamedMasjid {
  readonly id: string
  readonly name: string
  readonly city: string
  readonly isOwn: boolean
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const checkMasjids = async (queryable: Queryable, ids: readonly string[]): Promise<void> => {
  const odd = ids.filter(id => !uuid.test(id))
  const known = await queryable.query<{ id: string }>(sql`
    select id from public.up_masjids where id = any (${ids.filter(id => uuid.test(id))}::uuid[])`)
  const unknown = ids.filter(id => !known.some(row => row.id === id.toLowerCase()))
  if (odd.length + unknown.length > 0)
    throw registrationRefused(`There is no masjid with the id ${[...odd, ...unknown][0]}.`)
}

/** A masjid's own app can always read that masjid. */
export const setMasjids = async (queryable: Queryable, appId: string, { only, own }: MasjidChoice): Promise<void> => {
  const ids = [...new Set([...(only === '*' ? [] : only), ...own])]
  if (only !== '*' && ids.length === 0) throw registrationRefused('Choose at least one masjid, or all of them.')
  await checkMasjids(queryable, ids)
  await queryable.run(sql`delete from minaret.app_masjids where app_id = ${appId}`)
  await queryable.run(sql`
    insert into minaret.app_masjids (app_id, masjid_id, is_own)
    select ${appId}, id, id = any (${own}::uuid[]) from unnest(${ids}::uuid[]) as id`)
}

export const masjidsOfApp = (queryable: Queryable, appId: string): Promise<NamedMasjid[]> =>
  queryable.query<NamedMasjid>(sql`
    select m.masjid_id as id, coalesce(d.name, m.masjid_id::text) as name, coalesce(d.city, '') as city, m.is_own as "isOwn"
    from minaret.app_masjids m left join public.up_masjids d on d.id = m.masjid_id
    where m.app_id = ${appId} order by 2`)

// Which masjids an app reaches, and which masjids' own app it is, as chosen by a reviewer, also after the approval.

import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { explainDatabaseFault, registrationRefused, stateRefused } from './faults.ts'

export interface MasjidChoice {
  /** `*` is every masjid. */
  readonly only: '*' | readonly string[]
  /** The app belongs to these masjids: it also reads people who did not agree to sharing, and writes there by itself. */
  readonly own: '*' | readonly string[]
}

export interface NamedMasjid {
  readonly id: string
  readonly name: string
  readonly city: string
  readonly isOwn: boolean
}

export const everyMasjidNoneOwn: MasjidChoice = { only: '*', own: [] }

const checkMasjids = async (queryable: Queryable, ids: readonly string[]): Promise<void> => {
  const odd = ids.filter(id => !isUuidInAnyCase(id))
  const known = await queryable.query<{ id: string }>(sql`
    select id from public.up_masjids where id = any (${ids.filter(id => isUuidInAnyCase(id))}::uuid[])`)
  const unknown = ids.filter(id => !known.some(row => row.id === id.toLowerCase()))
  if (odd.length + unknown.length > 0)
    throw registrationRefused(`There is no masjid with the id ${[...odd, ...unknown][0]}.`)
}

const listed = (masjids: '*' | readonly string[]): readonly string[] => (masjids === '*' ? [] : masjids)

/** A masjid's own app can always read that masjid. */
const checkChoice = ({ only, own }: MasjidChoice): void => {
  if (own === '*' && only !== '*')
    throw registrationRefused('An app that belongs to every masjid reaches every masjid: choose all of them.')
  if (only !== '*' && only.length + own.length === 0)
    throw registrationRefused('Choose at least one masjid, or all of them.')
}

interface Chosen {
  readonly appId: string
  readonly actor: Actor
  readonly choice: MasjidChoice
}

/** For an app that is approved in the same transaction, or was before. Both columns change in one statement. */
export const setMasjids = async (queryable: Queryable, { appId, actor, choice }: Chosen): Promise<void> => {
  checkChoice(choice)
  const [only, own] = [listed(choice.only), listed(choice.own)]
  const ids = [...new Set([...only, ...own])]
  await checkMasjids(queryable, ids)
  const changed = await queryable.run(sql`
    update minaret.apps set all_masjids = ${choice.only === '*'}, own_all_masjids = ${choice.own === '*'},
      masjids_by = ${actor.userId}
    where id = ${appId} and state in ('approved', 'suspended') and deleted_at is null`)
  if (changed === 0) throw stateRefused('Only an app that was approved has masjids.')
  await queryable.run(sql`delete from minaret.app_masjids where app_id = ${appId}`)
  await queryable.run(sql`
    insert into minaret.app_masjids (app_id, masjid_id, is_own)
    select ${appId}, id, id = any (${own}::uuid[]) from unnest(${ids}::uuid[]) as id`)
  await queryable.run(sql`
    insert into minaret.app_masjid_choices (app_id, chosen_by, all_masjids, own_all_masjids, masjids, own_masjids)
    values (${appId}, ${actor.userId}, ${choice.only === '*'}, ${choice.own === '*'}, ${only}::uuid[], ${own}::uuid[])`)
}

export const changeMasjids = (database: Database, chosen: Chosen): Promise<void> =>
  database
    .transaction(async transaction => {
      await setMasjids(transaction, chosen)
      const { appId, actor, choice } = chosen
      const detail = { masjids: choice.only, own_masjids: choice.own }
      await recordAudit(transaction, { action: 'app.masjids_changed', actor, appId, detail })
    })
    .catch(explainDatabaseFault)

export interface PastMasjidChoice {
  readonly chosenBy: string | null
  readonly chosenAt: Date
  readonly allMasjids: boolean
  readonly ownAllMasjids: boolean
  readonly masjids: number
  readonly ownMasjids: number
}

export const listMasjidChoices = (queryable: Queryable, appId: string): Promise<PastMasjidChoice[]> =>
  queryable.query<PastMasjidChoice>(sql`
    select u.name as "chosenBy", c.chosen_at as "chosenAt", c.all_masjids as "allMasjids",
      c.own_all_masjids as "ownAllMasjids", cardinality(c.masjids) as masjids, cardinality(c.own_masjids) as "ownMasjids"
    from minaret.app_masjid_choices c left join minaret.users u on u.id = c.chosen_by
    where c.app_id = ${appId} order by c.id desc limit 100`)

export const masjidsOfApp = (queryable: Queryable, appId: string): Promise<NamedMasjid[]> =>
  queryable.query<NamedMasjid>(sql`
    select m.masjid_id as id, coalesce(d.name, m.masjid_id::text) as name, coalesce(d.city, '') as city, m.is_own as "isOwn"
    from minaret.app_masjids m left join public.up_masjids d on d.id = m.masjid_id
    where m.app_id = ${appId} order by 2`)

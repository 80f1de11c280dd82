// The tables of a plan and the parameters of a request → what its answer was read from.
import type { ReadSource } from '../../db/changes/epoch.ts'
import type { MasjidsOfPlan } from './masjids-of-plan.ts'

/** PostgreSQL reads other forms too, such as braces; the change log has this one. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const masjidsAt = (
  slots: readonly number[] | undefined,
  values: readonly (string | null)[],
): readonly string[] | undefined => {
  const given = slots?.map(slot => values[slot]) ?? []
  return given.length > 0 && given.every(value => typeof value === 'string' && uuid.test(value))
    ? given.map(value => String(value).toLowerCase())
    : undefined
}

export const readSources = (
  tables: readonly string[],
  masjids: MasjidsOfPlan,
  values: readonly (string | null)[],
): readonly ReadSource[] => tables.map(table => ({ table, masjids: masjidsAt(masjids.get(table), values) }))

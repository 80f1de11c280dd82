// A prepared query for prayer times → the masjids that it names by their id or slug: somebody asks for their times.
import { isUuid } from '../../base/uuid.ts'
import type { NoteAsked } from '../../prayer/on-demand/asked-masjids.ts'
import type { Condition, From, Plan, Rows, Value } from '../plan/plan.ts'
import type { CachedPlan } from '../structure.ts'
import { slotOf } from './logged-tables.ts'
import { itemsOf } from './read-sources.ts'

/** Tables of times, by the column that names their masjid; and the masjids themselves. */
const keys: Readonly<Record<string, readonly string[]>> = {
  pc_prayer_times: ['masjid_id'],
  pc_calculated_times: ['masjid_id'],
  up_masjids: ['id', 'slug'],
}

const valuesIn = (where: Condition | undefined, columns: readonly string[]): readonly Value[] => {
  if (where?.kind === 'and') return where.parts.flatMap(part => valuesIn(part, columns))
  if (where?.kind !== 'compare' || where.left.kind !== 'column') return []
  return columns.includes(where.left.column.column) && ['_eq', '_in'].includes(where.operator.name) ? [where.right] : []
}

const valuesOfRows = ({ from, where }: Rows): readonly Value[] => valuesIn(where, keys[from.table.relation] ?? [])

/** Of a function such as pc_prayer_times_today. */
const valuesOf = (from: From): readonly Value[] =>
  from.kind === 'function'
    ? from.arguments.filter(({ argument }) => argument.name === 'masjid_id').map(({ value }) => value)
    : []

const readsTimes = ({ tables }: Plan): boolean =>
  [...tables].some(({ relation }) => relation === 'pc_prayer_times' || relation === 'pc_calculated_times')

/** Places in the list of parameters. */
const namedIn = ({ plan, statement }: CachedPlan): readonly number[] => {
  if (!readsTimes(plan)) return []
  const values = plan.fields.flatMap(field =>
    field.kind === 'list' || field.kind === 'one' ? [...valuesOf(field.rows.from), ...valuesOfRows(field.rows)] : [],
  )
  return values.map(value => slotOf(statement.slots, value)).filter(slot => slot >= 0)
}

const known = new WeakMap<CachedPlan, readonly number[]>()

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** Whoever names more is copying the directory. */
const MOST_NAMED = 25

interface AskedQuery {
  readonly cached: CachedPlan
  readonly parameters: readonly (string | null)[]
}

export const noteAskedMasjids = (note: NoteAsked, { cached, parameters }: AskedQuery): void => {
  const slots = known.get(cached) ?? namedIn(cached)
  known.set(cached, slots)
  for (const slot of slots)
    for (const item of itemsOf(parameters[slot] ?? '').slice(0, MOST_NAMED))
      if (isUuid(item) || (item.length <= 80 && slugPattern.test(item))) note(item)
}

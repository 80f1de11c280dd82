// The rules of up_masjids, as the database has them now → which rows break one, told by column. The table refuses them in any case; asked
// beforehand, one bad row does not stop the thousands that are written with it.
import type { Queryable } from '../../db/database.ts'
import { rawSql, sql } from '../../db/sql.ts'
import { type Choices, columnNames, columns } from '../columns.ts'
import type { GivenMasjid, RefusedRow } from '../read-values.ts'

export interface RowRules {
  /** By index. */
  check(database: Queryable, rows: readonly GivenMasjid[]): Promise<ReadonlyMap<number, RefusedRow>>
}

interface Rule {
  readonly name: string
  readonly column: string
  readonly condition: string
}

/** Of columns that a directory fills; the zone's is a trigger, as the zones are in a table. */
const readRules = (database: Queryable): Promise<Rule[]> =>
  database.query<Rule>(sql`
    select conname as name, pg_get_expr(conbin, conrelid) as condition, (
      select attname from pg_attribute where attrelid = conrelid and attnum = any (conkey)
      order by attname <> all (${columnNames}), attnum limit 1
    ) as column
    from pg_constraint
    where conrelid = 'public.up_masjids'::regclass and contype = 'c'
    union all select 'up_masjids_timezone_check', 'public.is_time_zone(timezone)', 'timezone'
    order by name`)

export const readChoices = async (database: Queryable): Promise<Choices> => {
  const rows = await database.query<{ column: string; words: string[] }>(sql`
    select attname as column, array_agg(enumlabel::text order by enumsortorder) as words
    from pg_attribute join pg_type on pg_type.oid = atttypid
    join pg_enum on enumtypid = case when typelem <> 0 then typelem else pg_type.oid end
    where attrelid = 'public.up_masjids'::regclass and attnum > 0 and not attisdropped
    group by attname`)
  return new Map(rows.map(({ column, words }) => [column, new Set(words)]))
}

const reasonOf = ({ name, column }: Rule): string => {
  const must = columns.find(known => known.name === column)?.must
  return must === undefined ? `breaks the rule ${name}` : `${column} is not ${must}`
}

/** Both texts come from the catalogue of our own database, which writes names and values quoted. */
const firstBroken = (rules: readonly Rule[]): string =>
  rules.map(({ condition }, index) => `when not (${condition}) then ${index}`).join(' ')

export const readRowRules = async (database: Queryable): Promise<RowRules> => {
  const rules = await readRules(database)
  const broken = rawSql(`case ${firstBroken(rules)} end`)
  return {
    check: async (queryable, rows) => {
      if (rows.length === 0) return new Map()
      const found = await queryable.query<{ place: string; rule: number }>(sql`
        select place, rule from (
          select given_place as place, ${broken} as rule
          from json_array_elements(${JSON.stringify(rows.map(({ values }) => values))}::json) with ordinality given (given_row, given_place)
          cross join lateral json_populate_record(null::public.up_masjids, given_row)
        ) tried where rule is not null`)
      return new Map(
        found.map(({ place, rule }) => {
          const { line, sourceId } = rows[Number(place) - 1] as GivenMasjid
          const { column } = rules[rule] as Rule
          return [Number(place) - 1, { kind: 'refused', line, sourceId, column, reason: reasonOf(rules[rule] as Rule) }]
        }),
      )
    },
  }
}

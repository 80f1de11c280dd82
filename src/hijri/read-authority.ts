// Who is asked about → what they announced around some days, from the database.
import { type DayNumber, dateOf } from '../base/civil-date.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { identifier, type Sql, sql } from '../db/sql.ts'
import type { AskedAuthority, HijriAuthority, Span } from './authority.ts'

type MonthRow = readonly [month: number, startsOn: DayNumber]

interface Row {
  readonly authority_id: string | null
  readonly authority_name: string | null
  readonly masjid: { readonly id: string; readonly slug: string; readonly timezone: string } | null
  readonly hijri_adjustment: number
  readonly months_of_authority: readonly MonthRow[]
  readonly months_of_masjid: readonly MonthRow[]
}

/** Announced months affect those beside them. */
const AROUND = 400

export interface Source {
  readonly database: Queryable
  readonly schema: DataSchema
}

const monthsWhere = ({ schema }: Source, { from, to }: Span, condition: Sql): Sql => sql`(
  select coalesce(json_agg(json_build_array(
    month.hijri_year * 12 + month.hijri_month - 1, month.starts_on - date '1970-01-01')), '[]')
  from ${identifier(schema, 'pc_hijri_months')} month
  where ${condition} and month.deleted_at is null
    and month.starts_on between ${dateOf(from - AROUND)}::date and ${dateOf(to + AROUND)}::date)`

const ofAuthority = (source: Source, id: string, span: Span): Sql => sql`
  select authority.id as authority_id, authority.name as authority_name, null as masjid, 0 as hijri_adjustment,
    ${monthsWhere(source, span, sql`month.authority_id = authority.id`)} as months_of_authority, '[]'::json as months_of_masjid
  from ${identifier(source.schema, 'pc_hijri_authorities')} authority
  where authority.id = ${id} and authority.deleted_at is null`

const ofMasjid = (source: Source, idOrSlug: string, span: Span): Sql => sql`
  select authority.id as authority_id, authority.name as authority_name, masjid.hijri_adjustment,
    json_build_object('id', masjid.id, 'slug', masjid.slug, 'timezone', masjid.timezone) as masjid,
    ${monthsWhere(source, span, sql`month.authority_id = masjid.hijri_authority_id`)} as months_of_authority,
    ${monthsWhere(source, span, sql`month.masjid_id = masjid.id`)} as months_of_masjid
  from ${identifier(source.schema, 'up_masjids')} masjid
  left join ${identifier(source.schema, 'pc_hijri_authorities')} authority
    on authority.id = masjid.hijri_authority_id and authority.deleted_at is null
  where masjid.deleted_at is null and ${isUuidInAnyCase(idOrSlug) ? sql`masjid.id = ${idOrSlug}` : sql`masjid.slug = ${idOrSlug}`}`

/** Undefined if there is no such authority or masjid. What is calculated asks no database. */
export const readAuthority = async (
  source: Source,
  asked: AskedAuthority,
  span: Span,
): Promise<HijriAuthority | undefined> => {
  if (asked.kind === 'calculated') return asked
  const statement =
    asked.kind === 'authority' ? ofAuthority(source, asked.id, span) : ofMasjid(source, asked.idOrSlug, span)
  const row = await source.database.first<Row>(statement)
  if (row === undefined) return undefined
  return {
    kind: 'announced',
    authority: row.authority_id === null ? undefined : { id: row.authority_id, name: row.authority_name ?? '' },
    masjid: row.masjid ?? undefined,
    hijri_adjustment: row.hijri_adjustment,
    announced: { byAuthority: new Map(row.months_of_authority), byMasjid: new Map(row.months_of_masjid) },
  }
}

interface ListedAuthority {
  readonly id: string
  readonly name: string
  readonly country: string | null
  readonly website: string | null
}

/** There are a few dozen in the world. */
const MOST_LISTED = 500

export const listAuthorities = ({ database, schema }: Source): Promise<readonly ListedAuthority[]> =>
  database.query<ListedAuthority>(sql`
    select id, name, country, website from ${identifier(schema, 'pc_hijri_authorities')}
    where deleted_at is null order by name, id limit ${MOST_LISTED}`)

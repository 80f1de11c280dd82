// Rows as they were read → what is to be done with them: those that the directory has not changed, those that are new or changed, with
// zone and method filled in, and those that are refused. Only reads, so that it runs beside the transaction of the rows before.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { methodOf } from '../../place-times/country.ts'
import type { Choices } from '../columns.ts'
import { type GivenMasjid, type RefusedRow, readValues, type Values } from '../read-values.ts'
import type { RawRow } from '../reading/raw-row.ts'
import type { RowRules } from './row-rules.ts'

export interface Masjid extends GivenMasjid {
  /** Of a row that was imported before. */
  readonly masjidId: string | undefined
}

export interface Batch {
  readonly read: number
  readonly unchanged: readonly GivenMasjid[]
  readonly masjids: readonly Masjid[]
  readonly refused: readonly RefusedRow[]
}

export interface Preparing {
  readonly database: Queryable
  readonly source: string
  readonly choices: Choices
  readonly rules: RowRules
}

interface Known {
  readonly source_id: string
  readonly masjid_id: string
  readonly same: boolean
}

const findKnown = ({ database, source }: Preparing, rows: readonly GivenMasjid[]): Promise<Known[]> =>
  database.query<Known>(sql`
    select origin.source_id, origin.masjid_id, origin.content_hash = given.hash as same
    from unnest(${rows.map(({ sourceId }) => sourceId)}::text[], ${rows.map(({ hash }) => hash)}::text[]) given (source_id, hash)
    join public.up_masjid_origins origin on origin.source = ${source} and origin.source_id = given.source_id`)

type FindZone = (place: { latitude: number; longitude: number }) => string

/** The borders of the world's zones are only loaded for a directory that does not name them. */
const loadZones = async (rows: readonly GivenMasjid[]): Promise<FindZone | undefined> =>
  rows.some(({ values }) => values.timezone === null)
    ? (await import('../../place-times/zones/find-zone.ts')).findZone
    : undefined

const isOnEarth = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

const complete = (values: Values, findZone: FindZone | undefined): Values => {
  const [latitude, longitude] = [Number(values.latitude), Number(values.longitude)]
  const zone = values.timezone ?? (isOnEarth(latitude, longitude) ? findZone?.({ latitude, longitude }) : undefined)
  return {
    ...values,
    timezone: zone ?? 'Etc/UTC',
    calculation_method: values.calculation_method ?? methodOf(String(values.country)),
  }
}

/** Places that are near each other share the same squares of the map. */
const byPlace = (one: Masjid, other: Masjid): number =>
  Math.floor(Number(one.values.latitude)) - Math.floor(Number(other.values.latitude)) ||
  Number(one.values.longitude) - Number(other.values.longitude)

const completeAll = async (masjids: readonly Masjid[]): Promise<Masjid[]> => {
  const findZone = await loadZones(masjids)
  const completed = masjids.toSorted(byPlace).map(masjid => ({ ...masjid, values: complete(masjid.values, findZone) }))
  return completed.sort((one, other) => one.line - other.line)
}

/** Open sea has zones by longitude alone. */
const isAtSea = ({ values }: Masjid): boolean => String(values.timezone).startsWith('Etc/')

const refuseAtSea = ({ line, sourceId }: Masjid): RefusedRow => ({
  kind: 'refused',
  line,
  sourceId,
  column: 'timezone',
  reason: 'the place is at sea: are latitude and longitude exchanged?',
})

export const prepareBatch = async (preparing: Preparing, rows: readonly RawRow[]): Promise<Batch> => {
  const read = rows.map(row => readValues(row, preparing.choices))
  const given = read.filter(row => row.kind === 'given')
  const known = new Map((await findKnown(preparing, given)).map(row => [row.source_id, row]))
  const masjids = await completeAll(
    given
      .filter(({ sourceId }) => known.get(sourceId)?.same !== true)
      .map(row => ({ ...row, masjidId: known.get(row.sourceId)?.masjid_id })),
  )
  const broken = await preparing.rules.check(preparing.database, masjids)
  const adrift = masjids.filter((masjid, index) => isAtSea(masjid) && broken.get(index)?.column === 'timezone')
  return {
    read: rows.length,
    unchanged: given.filter(({ sourceId }) => known.get(sourceId)?.same === true),
    masjids: masjids.filter((_, index) => !broken.has(index)),
    refused: [
      ...read.filter(row => row.kind === 'refused'),
      ...adrift.map(refuseAtSea),
      ...[...broken].filter(([index]) => !adrift.includes(masjids[index] as Masjid)).map(([, row]) => row),
    ],
  }
}

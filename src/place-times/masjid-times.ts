// A masjid's id and some days → the question that is asked of a place, with what the masjid's own row says, or a sentence why not.
import { dayNumberAt } from '../base/civil-date.ts'
import type { Clock } from '../base/clock.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Sql } from '../db/sql.ts'
import type { MasjidParameters } from '../prayer/calculation/masjid-parameters.ts'
import { masjidQuery, parametersIn } from '../prayer/calculation/read-masjid.ts'
import type { SettledPlace } from './calculate-place.ts'
import type { SettledQuestion } from './place-times.ts'
import type { DayRange } from './question.ts'
import { type RawQuestion, readRange, refuse } from './read-days.ts'

export interface MasjidQuestion {
  readonly masjidId: string
  /** Undefined: today on the masjid's clock. */
  readonly range: DayRange | undefined
}

const own = ['masjid_id', 'date', 'from', 'to']

/** @throws {Fault} `bad_request` that names the parameter */
export const readMasjidQuestion = (raw: RawQuestion): MasjidQuestion => {
  const { masjid_id: masjid } = raw
  if (typeof masjid !== 'string' || !isUuidInAnyCase(masjid)) throw refuse('masjid_id', 'is not the id of a masjid.')
  const other = Object.keys(raw).find(name => !own.includes(name) && (raw[name] ?? null) !== null)
  if (other !== undefined) throw refuse(other, 'goes without "masjid_id": a masjid has its own.')
  return { masjidId: masjid.toLowerCase(), range: readRange(raw) }
}

const placeOf = (masjid: MasjidParameters): SettledPlace => ({
  latitude: masjid.latitude,
  longitude: masjid.longitude,
  elevation: masjid.elevation ?? 0,
  timeZone: masjid.timezone,
  method: masjid.calculation_method,
  madhab: masjid.madhab,
  highLatitudeRule: masjid.high_latitude_rule,
  adjustments: masjid.adjustments,
  fajr_angle: masjid.fajr_angle,
  isha_angle: masjid.isha_angle,
  isha_minutes: masjid.isha_minutes,
  maghrib_angle: masjid.maghrib_angle,
  calendar: masjid,
})

interface Asked {
  readonly schema: DataSchema
  readonly clock: Clock
  readonly todayIn: (zone: string) => DayRange
  /** As whoever asks may read. */
  readonly read: (query: Sql) => Promise<string>
}

/** @throws {Fault} `bad_request` if there is no such masjid. */
export const settleMasjid = async (
  { masjidId, range }: MasjidQuestion,
  { schema, clock, todayIn, read }: Asked,
): Promise<SettledQuestion> => {
  const today = dayNumberAt(clock.now())
  const { from, to } = range ?? { from: today - 1, to: today + 1 }
  const text = await read(masjidQuery(masjidId, { schema, first: from, last: to }))
  if (text === '') throw refuse('masjid_id', 'is the id of no masjid.')
  const place = placeOf(parametersIn(text))
  return { place, country: undefined, range: range ?? todayIn(place.timeZone), masjidId }
}

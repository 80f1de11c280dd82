// get_prayer_times: a masjid and a day or a month → adhan and iqamah of each prayer; or a place → the times of its sun.

import * as z from 'zod'
import { addDays } from '../../base/civil-date.ts'
import { localDateAt } from '../../base/local-time.ts'
import { methodNames } from '../../prayer/calculation/methods.ts'
import { type Call, defineTool, type ToolAnswer } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { dayInWords } from '../words.ts'
import { checkDate, dateField, daysAround, latitudeField, longitudeField, masjidField } from './masjid-input.ts'
import { hijriDate, noteOnNames, type PrayerRow, prayerData, prayerInWords, prayerSchema } from './prayer-time.ts'
import { readTimes } from './read-times.ts'
import { timesAtPlace } from './times-at-place.ts'

const input = z.strictObject({
  masjid: masjidField.optional(),
  latitude: latitudeField.optional(),
  longitude: longitudeField.optional(),
  method: z
    .enum(methodNames)
    .optional()
    .describe('For a place: the method of calculation; that of its country if left out.'),
  madhab: z.enum(['shafi', 'hanafi']).optional().describe('For a place: when Asr begins; shafi if left out.'),
  date: dateField.optional().describe('A day, as YYYY-MM-DD; today there if left out.'),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .describe('A whole month instead of a day, as YYYY-MM.'),
})

const output = z.object({
  masjid: z.string().optional(),
  name: z.string().optional(),
  timezone: z.string(),
  method: z.string().optional().describe('Of a place: the method of calculation'),
  qibla: z.number().optional().describe('Of a place: degrees from north, clockwise'),
  days: z.array(
    z.object({
      date: z.string(),
      hijri_date: z.string().optional(),
      calculated: z.literal(true).optional().describe('Nothing that the masjid announces is known of the day'),
      times: z.array(prayerSchema),
    }),
  ),
})

const lastOf = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return addDays(`${month}-01`, new Date(Date.UTC(year, number, 0)).getUTCDate() - 1)
}

type Wishes = z.output<typeof input>

/** Undefined: today there. */
const stretchOf = ({ date, month }: Wishes): { readonly from: string; readonly until: string } | undefined => {
  if (date !== undefined && month !== undefined) throw new ToolRefusal('Give a date or a month, not both.')
  if (month !== undefined) return { from: checkDate(`${month}-01`), until: lastOf(month) }
  return date === undefined ? undefined : { from: checkDate(date), until: date }
}

const lineOf = ([date, rows]: readonly [string, readonly PrayerRow[]]): string =>
  `${dayInWords(date)}: ${rows.map(prayerInWords).join('; ')}.`

const unannounced = (
  days: readonly (readonly [string, unknown])[],
  calculated: ReadonlySet<string>,
): readonly string[] => {
  const dates = days.map(([date]) => date).filter(date => calculated.has(date))
  return dates.length === 0 ? [] : [`Only calculated, not announced by the masjid: ${dates.join(', ')}.`]
}

const atMasjid = async (call: Call, masjid: string, wishes: Wishes): Promise<ToolAnswer> => {
  const stretch = stretchOf(wishes)
  const found = await readTimes(call, masjid, stretch ?? daysAround(call.now, 1, 1))
  const { slug, name, timezone } = found
  const today = localDateAt(call.now, timezone)
  const isWanted = ({ date }: PrayerRow): boolean => stretch !== undefined || date === today
  const days = [...Map.groupBy(found.times.filter(isWanted), ({ date }) => date)]
  const heading = `${name}, times on the clock of ${timezone}:`
  return {
    words:
      days.length === 0
        ? `${name} has no times for these days.`
        : [
            heading,
            ...days.map(lineOf),
            ...unannounced(days, found.calculated),
            ...noteOnNames(days.flatMap(([, rows]) => rows)),
          ].join('\n'),
    data: {
      masjid: slug,
      name,
      timezone,
      days: days.map(([date, rows]) => ({
        date,
        ...(found.calculated.has(date) ? { calculated: true } : {}),
        ...(rows[0] === undefined ? {} : { hijri_date: hijriDate(rows[0]) }),
        times: rows.map(prayerData),
      })),
    },
  }
}

export const getPrayerTimes = defineTool({
  name: 'get_prayer_times',
  title: 'Prayer times of a day or month',
  description:
    'Adhan and iqamah times of a masjid on a day (today if left out) or in a whole month; or, by latitude and longitude, the calculated times of any place. Times are on the clock there.',
  scopes: ['masjid:read', 'prayer-times:read'],
  writes: false,
  input,
  output,
  run: async (call, wishes) => {
    const { masjid, latitude, longitude, method, madhab } = wishes
    if (masjid !== undefined) {
      if ([latitude, longitude, method, madhab].some(given => given !== undefined))
        throw new ToolRefusal('Give a masjid, or a place with its method and madhab, not both: a masjid has its own.')
      return atMasjid(call, masjid, wishes)
    }
    if (latitude === undefined || longitude === undefined)
      throw new ToolRefusal('Give a masjid, or latitude and longitude.')
    return timesAtPlace(call, { latitude, longitude, method, madhab }, stretchOf(wishes))
  },
})

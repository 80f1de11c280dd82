// get_prayer_times: a masjid and a day or a month → adhan and iqamah of each prayer.

import * as z from 'zod'
import { addDays } from '../../base/civil-date.ts'
import { localDateAt } from '../../base/local-time.ts'
import { defineTool } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { dayInWords } from '../words.ts'
import { checkDate, dateField, daysAround, masjidField } from './masjid-input.ts'
import { hijriDate, noteOnNames, type PrayerRow, prayerData, prayerInWords, prayerSchema } from './prayer-time.ts'
import { readTimes } from './read-times.ts'

const input = z.strictObject({
  masjid: masjidField,
  date: dateField.optional().describe('A day, as YYYY-MM-DD; today at the masjid if left out.'),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .describe('A whole month instead of a day, as YYYY-MM.'),
})

const output = z.object({
  masjid: z.string(),
  name: z.string(),
  timezone: z.string(),
  days: z.array(z.object({ date: z.string(), hijri_date: z.string().optional(), times: z.array(prayerSchema) })),
})

const lastOf = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return addDays(`${month}-01`, new Date(Date.UTC(year, number, 0)).getUTCDate() - 1)
}

const stretchOf = ({ date, month }: z.output<typeof input>, now: Date) => {
  if (date !== undefined && month !== undefined) throw new ToolRefusal('Give a date or a month, not both.')
  if (month !== undefined) return { from: checkDate(`${month}-01`), until: lastOf(month) }
  if (date !== undefined) return { from: checkDate(date), until: date }
  return daysAround(now, 1, 1)
}

const lineOf = ([date, rows]: readonly [string, readonly PrayerRow[]]): string =>
  `${dayInWords(date)}: ${rows.map(prayerInWords).join('; ')}.`

export const getPrayerTimes = defineTool({
  name: 'get_prayer_times',
  title: 'Prayer times of a day or month',
  description:
    'Adhan and iqamah times of a masjid on a day (today if left out) or in a whole month. Times are on the clock of the masjid.',
  scopes: ['masjid:read', 'prayer-times:read'],
  writes: false,
  input,
  output,
  run: async (call, wishes) => {
    const found = await readTimes(call, wishes.masjid, stretchOf(wishes, call.now))
    const { slug, name, timezone } = found
    const today = localDateAt(call.now, timezone)
    const isWanted = ({ date }: PrayerRow): boolean =>
      wishes.date !== undefined || wishes.month !== undefined || date === today
    const days = [...Map.groupBy(found.times.filter(isWanted), ({ date }) => date)]
    const heading = `${name}, times on the clock of ${timezone}:`
    return {
      words:
        days.length === 0
          ? `${name} has no times for these days.`
          : [heading, ...days.map(lineOf), ...noteOnNames(days.flatMap(([, rows]) => rows))].join('\n'),
      data: {
        masjid: slug,
        name,
        timezone,
        days: days.map(([date, rows]) => ({
          date,
          ...(rows[0] === undefined ? {} : { hijri_date: hijriDate(rows[0]) }),
          times: rows.map(prayerData),
        })),
      },
    }
  },
})

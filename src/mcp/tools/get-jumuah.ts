// get_jumuah: a masjid → the sessions of the next Friday.
import * as z from 'zod'
import { localDateAt } from '../../base/local-time.ts'
import { defineTool } from '../tool.ts'
import { dayInWords } from '../words.ts'
import { daysAround, masjidField } from './masjid-input.ts'
import { noteOnNames, prayerData, prayerInWords, prayerSchema } from './prayer-time.ts'
import { readTimes } from './read-times.ts'

export const getJumuah = defineTool({
  name: 'get_jumuah',
  title: "Jumu'ah",
  description: "The Jumu'ah sessions of the next Friday (today, on a Friday) at a masjid: khutbah, iqamah, language.",
  scopes: ['masjid:read', 'prayer-times:read'],
  writes: false,
  input: z.strictObject({ masjid: masjidField }),
  output: z.object({
    masjid: z.string(),
    name: z.string(),
    timezone: z.string(),
    date: z.string().optional(),
    sessions: z.array(prayerSchema),
  }),
  run: async (call, { masjid }) => {
    const { slug, name, timezone, times } = await readTimes(call, masjid, daysAround(call.now, 1, 9))
    const today = localDateAt(call.now, timezone)
    const coming = times.filter(({ prayer, date }) => prayer === 'jumuah' && date >= today)
    const date = coming[0]?.date
    const sessions = coming.filter(row => row.date === date)
    const heading = date === undefined ? '' : `${name}, ${dayInWords(date)}, on the clock of ${timezone}:`
    return {
      words:
        date === undefined
          ? `${name} has announced no Jumu'ah for the coming Friday.`
          : [heading, ...sessions.map(prayerInWords), ...noteOnNames(sessions)].join('\n'),
      data: {
        masjid: slug,
        name,
        timezone,
        ...(date === undefined ? {} : { date }),
        sessions: sessions.map(prayerData),
      },
    }
  },
})

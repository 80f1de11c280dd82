// A place and a stretch of days → its times, calculated, without a masjid and so without iqamahs.
import type { Call, ToolAnswer } from '../tool.ts'
import { clockOf, dayInWords, withoutNulls } from '../words.ts'

interface AskedPlace {
  readonly latitude: number
  readonly longitude: number
  readonly method?: string | undefined
  readonly madhab?: string | undefined
}

interface Stretch {
  readonly from: string
  readonly until: string
}

/** As they are named to assistants, in the order of the day. */
const moments = {
  imsak: 'Imsak',
  fajr: 'Fajr',
  sunrise: 'sunrise',
  dhuhr: 'Dhuhr',
  asr: 'Asr',
  maghrib: 'Maghrib',
  isha: 'Isha',
  midnight: 'the middle of the night',
  last_third: 'the last third of the night',
} as const

type Moment = keyof typeof moments

const names = Object.keys(moments) as readonly Moment[]

type PlaceRow = Readonly<Record<Moment | `${Moment}_local`, string | null>> & {
  readonly date: string
  readonly time_zone: string
  readonly method: string
  readonly qibla: number
  readonly hijri_year: number
  readonly hijri_month: number
  readonly hijri_day: number
}

/** The argument is left out rather than null where today is asked for: the place decides which day that is. */
const documentFor = (stretch: Stretch | undefined): string => {
  const [declared, given] =
    stretch === undefined ? ['', ''] : [', $from: date!, $until: date!', ', from: $from, to: $until']
  return `query TimesAt($latitude: Float!, $longitude: Float!, $method: pc_calculation_method, $madhab: pc_madhab${declared}) {
  days: pc_times_at(args: {latitude: $latitude, longitude: $longitude, method: $method, madhab: $madhab${given}}) {
    date time_zone method qibla hijri_year hijri_month hijri_day ${names.map(name => `${name} ${name}_local`).join(' ')}
  }
}`
}

const two = (number: number): string => String(number).padStart(2, '0')

const present = (row: PlaceRow): readonly Moment[] => names.filter(name => row[name] !== null)

const clockAt = (row: PlaceRow, name: Moment): string => clockOf(row[`${name}_local`] ?? '')

const inWords = (row: PlaceRow): string =>
  `${dayInWords(row.date)}: ${present(row)
    .map(name => `${moments[name]} ${clockAt(row, name)}`)
    .join('; ')}.`

const dayData = (row: PlaceRow): Record<string, unknown> => ({
  date: row.date,
  hijri_date: `${row.hijri_year}-${two(row.hijri_month)}-${two(row.hijri_day)}`,
  times: present(row).map(name => ({ prayer: name, adhan: clockAt(row, name), adhan_at: row[name] })),
})

/** Today there, without a stretch. @throws {ToolRefusal} */
export const timesAtPlace = async (
  { ask }: Call,
  { latitude, longitude, ...chosen }: AskedPlace,
  stretch: Stretch | undefined,
): Promise<ToolAnswer> => {
  const variables = { latitude, longitude, ...withoutNulls({ ...chosen, ...stretch }) }
  const { days } = await ask<{ days: readonly PlaceRow[] }>({ query: documentFor(stretch), variables })
  const [first] = days
  if (first === undefined)
    return { words: 'The place left these days out of its calendar.', data: { timezone: '', days: [] } }
  const { time_zone: timezone, method, qibla } = first
  const heading = `At ${latitude}, ${longitude}, calculated by the method ${method}, on the clock of ${timezone}. These are no iqamahs. Qibla: ${Math.round(qibla)} degrees from north.`
  return {
    words: [heading, ...days.map(inWords)].join('\n'),
    data: { timezone, method, qibla, days: days.map(dayData) },
  }
}

// change_iqamah: moves the congregation of one prayer from a day on, or for some days.

import * as z from 'zod'
import { addDays } from '../../base/civil-date.ts'
import { counted } from '../../base/in-words.ts'
import { localDateAt } from '../../base/local-time.ts'
import { defineChangeTool } from '../changes/change-tool.ts'
import type { Call } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { clockOf, dayInWords } from '../words.ts'
import { checkDate, dateField, masjidField, unknownMasjid, whichMasjid } from './masjid-input.ts'
import { PRAYER_FIELDS, type PrayerRow, sessionInWords } from './prayer-time.ts'

const SHOWN_DAYS = 7

const input = {
  masjid: masjidField,
  prayer: z.enum(['fajr', 'dhuhr', 'asr', 'maghrib', 'isha', 'jumuah']),
  session: z.int().min(1).max(9).optional().describe('1 unless the prayer has several congregations.'),
  from: dateField.describe('The first day, as YYYY-MM-DD, today or later.'),
  until: dateField.optional().describe('The last day; from then on it is as before. Left out: until changed again.'),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional()
    .describe('The iqamah on the clock of the masjid, as HH:MM.'),
  minutes_after_adhan: z.int().min(0).max(180).optional().describe('Instead of a time.'),
  replace_timetables: z
    .boolean()
    .optional()
    .describe(
      'Left out, a change without "until" ends where a published timetable begins, and is refused inside of one. True: it replaces the days of published timetables. Only if the person has agreed to the number of days.',
    ),
}

type Wishes = z.output<z.ZodObject<typeof input>>

const TIMES = `prayer_times(
      where: {prayer: {_eq: $prayer}, session: {_eq: $session}, date: {_gte: $from, _lte: $shown}}, order_by: [{date: asc}]
    ) { ${PRAYER_FIELDS} }`

const BEFORE = `query Before($which: up_masjids_bool_exp!, $prayer: pc_prayer!, $session: Int!, $from: date!, $shown: date!) {
  masjids: up_masjids(where: $which, limit: 1) {
    id name timezone ${TIMES}
    rules: iqamah_schedules(where: {prayer: {_eq: $prayer}, session: {_eq: $session}}) { id version }
  }
}`

const ARGUMENTS = `$masjid: uuid!, $prayer: pc_prayer!, $session: Int!, $from: date!, $until: date, $rule: pc_iqamah_rule!,
  $time: time, $minutes: Int, $expected: jsonb!, $replace: Boolean!, $timetables: jsonb, $label: String, $khutbah: Int, $imam: String,
  $language: String`
const CHANGE = `change_iqamah(args: {
    masjid_id: $masjid, prayer: $prayer, session: $session, first_on: $from, last_on: $until, rule: $rule, fixed_time: $time,
    offset_minutes: $minutes, expected_rules: $expected, replace_timetables: $replace, expected_timetables: $timetables, label: $label,
    khutbah_minutes: $khutbah, imam: $imam, language: $language
  })`
const TRY = `mutation Try(${ARGUMENTS}, $shown: date!) {
  change: ${CHANGE} { ends_on replaced_timetables masjid { ${TIMES} } }
}`
const PUBLISHED =
  'query Published($ids: [uuid!]!) { timetables: pc_timetables(where: {id: {_in: $ids}}) { id published_at } }'
const MAKE = `mutation Make(${ARGUMENTS}) { change: ${CHANGE} { id } }`

interface Tried {
  readonly ends_on: string | null
  /** How many days of each published timetable it replaces. */
  readonly replaced_timetables: Readonly<Record<string, number>>
  readonly masjid: { readonly prayer_times: readonly PrayerRow[] }
}

interface Before {
  readonly id: string
  readonly name: string
  readonly timezone: string
  readonly prayer_times: readonly PrayerRow[]
  readonly rules: readonly { readonly id: string; readonly version: number }[]
}

const ruleOf = ({ time, minutes_after_adhan: minutes }: Wishes) => {
  if ((time === undefined) === (minutes === undefined))
    throw new ToolRefusal('Give either a time, or minutes_after_adhan.')
  return time === undefined ? { rule: 'offset', minutes } : { rule: 'fixed', time: `${time}:00` }
}

const variablesOf = (wishes: Wishes, masjid: string, expected: unknown) => ({
  masjid,
  prayer: wishes.prayer,
  session: wishes.session ?? 1,
  from: checkDate(wishes.from),
  ...(wishes.until === undefined ? {} : { until: checkDate(wishes.until) }),
  ...ruleOf(wishes),
  replace: wishes.replace_timetables === true,
  expected,
})

const instantOf = (local: string): number => Date.parse(`${local}Z`)

/** What stays when the time moves: what the session is called, who leads it, and how long its khutbah is. */
const keptOf = ({ prayer_times: [row] }: Before) => {
  if (row === undefined) return {}
  const { label, imam, language, khutbah_local, iqamah_local } = row
  const hasKhutbah = khutbah_local !== null && iqamah_local !== null
  return {
    label,
    imam,
    language,
    khutbah: hasKhutbah ? (instantOf(iqamah_local) - instantOf(khutbah_local)) / 60_000 : null,
  }
}

/** On Fridays only, a week has one. */
const lastShown = ({ prayer, from, until }: Wishes): string => {
  const last = addDays(checkDate(from), prayer === 'jumuah' ? 7 * SHOWN_DAYS : SHOWN_DAYS - 1)
  return until !== undefined && until < last ? until : last
}

const clock = (row: PrayerRow | undefined): string =>
  row === undefined || row.iqamah_local === null ? 'none' : clockOf(row.iqamah_local)

const readBefore = async ({ ask }: Call, wishes: Wishes, shown: string): Promise<Before> => {
  const { prayer, session = 1, from } = wishes
  const variables = { which: whichMasjid(wishes.masjid), prayer, session, from, shown }
  const { masjids } = await ask<{ masjids: readonly Before[] }>({ query: BEFORE, variables })
  const [before] = masjids
  if (before === undefined) throw unknownMasjid(wishes.masjid)
  return before
}

/** A line for each published timetable whose days it replaces. */
const replacedInWords = async ({ ask }: Call, { timezone }: Before, replaced: Tried['replaced_timetables']) => {
  const ids = Object.keys(replaced)
  if (ids.length === 0) return []
  const { timetables } = await ask<{ timetables: readonly { id: string; published_at: string }[] }>({
    query: PUBLISHED,
    variables: { ids },
  })
  return timetables.map(({ id, published_at: at }) => {
    const day = dayInWords(localDateAt(new Date(at), timezone))
    return `This replaces ${counted(replaced[id] ?? 0, 'day')} of the timetable published on ${day}.`
  })
}

const endOf = ({ until }: Wishes, { ends_on }: Tried): string => {
  if (until !== undefined) return `until ${dayInWords(until)}`
  if (ends_on === null) return 'until it is changed again'
  return `until ${dayInWords(ends_on)}, since a published timetable begins the day after`
}

const inWords = (wishes: Wishes, before: Before, tried: Tried): string => {
  const old = new Map(before.prayer_times.map(row => [row.date, row]))
  const lines = tried.masjid.prayer_times.map(
    row => `- ${dayInWords(row.date)}: ${clock(old.get(row.date))} → ${clock(row)}`,
  )
  const label = before.prayer_times[0]?.label ?? null
  const name = sessionInWords({ prayer: wishes.prayer, session: wishes.session ?? 1, label })
  return [
    `Iqamah of ${name} at ${before.name}, from ${dayInWords(wishes.from)} ${endOf(wishes, tried)}, on the clock of ${before.timezone}:`,
    ...lines,
  ].join('\n')
}

export const changeIqamah = defineChangeTool({
  name: 'change_iqamah',
  title: 'Change an iqamah',
  description: 'For staff: moves the iqamah of a prayer from a day on, or for the days up to "until".',
  scopes: ['masjid:read', 'prayer-times:read', 'prayer-times:write'],
  input,
  attempt: async (call, wishes) => {
    const shown = lastShown(wishes)
    const before = await readBefore(call, wishes, shown)
    const kept = keptOf(before)
    const expected = Object.fromEntries(before.rules.map(({ id, version }) => [id, version]))
    const { change } = await call.ask<{ change: Tried }>({
      query: TRY,
      variables: { ...variablesOf(wishes, before.id, expected), ...kept, shown },
      dryRun: true,
    })
    const replaced = change.replaced_timetables
    const words = [inWords(wishes, before, change), ...(await replacedInWords(call, before, replaced))].join('\n')
    return { words, basis: { masjid: before.id, expected, kept, replaced, words } }
  },
  make: async ({ ask }, wishes, { masjid, expected, kept, replaced, words }) => {
    const variables = { ...variablesOf(wishes, String(masjid), expected), ...Object(kept), timetables: replaced }
    await ask({ query: MAKE, variables })
    return `Done. ${words}`
  },
})

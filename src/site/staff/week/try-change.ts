// A change → how the days would look, found by making it and keeping nothing of it.
import { addDays } from '../../../base/civil-date.ts'
import type { Engine } from '../../../graphql/create-graphql.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import { type PrayerTime, prayerTimeFields } from '../../hall/prayer-time.ts'
import { ask, read } from '../ask.ts'
import type { Change } from './change-values.ts'
import { fridayFrom } from './days.ts'
import type { SeasonalRule } from './rule-words.ts'

/** Days shown of a change that has no end. */
const SHOWN_DAYS = 14

export const ruleFields =
  'id prayer session label rule fixed_time offset_minutes round_to season weekdays is_cancelled khutbah_minutes imam language valid version'

const argumentTypes = {
  prayer: 'pc_prayer!',
  session: 'Int',
  first_on: 'date!',
  last_on: 'date',
  rule: 'pc_iqamah_rule',
  fixed_time: 'time',
  offset_minutes: 'Int',
  round_to: 'Int',
  not_before: 'time',
  not_after: 'time',
  khutbah_minutes: 'Int',
  imam: 'String',
  language: 'String',
  label: 'String',
  replaces_all: 'Boolean',
  replace_timetables: 'Boolean',
} as const satisfies Readonly<Record<keyof Change | 'replace_timetables', string>>

const declared = Object.entries(argumentTypes).map(([name, type]) => `$${name}: ${type}`)
const passed = Object.keys(argumentTypes).map(name => `${name}: $${name}`)

export const PUBLISH = `mutation Publish($masjid: uuid!, $publish_at: timestamptz, $expected: jsonb, $timetables: jsonb, ${declared.join(', ')}) {
  change: change_iqamah(args: {masjid_id: $masjid, publish_at: $publish_at, expected_rules: $expected, expected_timetables: $timetables,
    ${passed.join(', ')}}) { id status }
}`

const shownTimes = (where: string): string =>
  `prayer_times(where: {${where}}, order_by: [{date: asc}, {session: asc}]) { ${prayerTimeFields} }`

const seen = `ofPrayer: ${shownTimes('prayer: {_eq: $prayer}, session: {_eq: $session}, date: {_gte: $first_on, _lte: $until}')}
  days: ${shownTimes('date: {_gte: $day, _lte: $next}')}
  jumuah: ${shownTimes('prayer: {_eq: jumuah}, date: {_eq: $friday}')}
  rules: iqamah_schedules(where: {prayer: {_eq: $prayer}, session: {_eq: $session}}, order_by: [{id: asc}]) { ${ruleFields} }`

const seenParameters = '$until: date!, $day: date!, $next: date!, $friday: date!'

const BEFORE = `query Before($masjid: uuid!, $prayer: pc_prayer!, $session: Int!, $first_on: date!, ${seenParameters}) {
  masjid: up_masjids_by_pk(id: $masjid) { ${seen} }
}`

const AFTER = `mutation After($masjid: uuid!, ${seenParameters}, ${declared.join(', ')}) {
  change: change_iqamah(args: {masjid_id: $masjid, ${passed.join(', ')}}) { schedule_id ends_on replaced_timetables masjid { ${seen} } }
}`

interface Seen {
  readonly ofPrayer: readonly PrayerTime[]
  readonly days: readonly PrayerTime[]
  readonly jumuah: readonly PrayerTime[]
  readonly rules: readonly SeasonalRule[]
}

export interface Tried {
  readonly before: Seen
  readonly after: Seen
  /** The rule that would be written. */
  readonly ruleId: string | null
  /** The day that the hall screen shows. */
  readonly day: string
  /** The day before a published timetable begins, where the change ends. */
  readonly endsOn: string | null
  /** By the id of each published timetable, how many of its days this would replace: to be asked. */
  readonly replaces: Readonly<Record<string, number>>
}

const OCCASION = `query Occasion($masjid: uuid!, $from: date!, $where: pc_calculated_times_bool_exp!) {
  days: pc_calculated_times(where: {_and: [{masjid_id: {_eq: $masjid}, date: {_gte: $from}}, $where]}, order_by: [{date: asc}], limit: 1) { date }
}`

const occasions = {
  taraweeh: { is_taraweeh: { _eq: true } },
  eid_fitr: { hijri_month: { _eq: 10 }, hijri_day: { _eq: 1 } },
  eid_adha: { hijri_month: { _eq: 12 }, hijri_day: { _eq: 10 } },
} as const

/** The first day of the change on which the prayer is held. */
const firstHeld = async (graphql: Engine, visit: SignedInVisit, { masjid, change }: Trial): Promise<string> => {
  const { prayer, first_on } = change
  if (prayer === 'jumuah') return fridayFrom(first_on)
  const where = Object.hasOwn(occasions, prayer) ? occasions[prayer as keyof typeof occasions] : undefined
  if (where === undefined) return first_on
  const { days } = await read<{ days: { date: string }[] }>(graphql, visit, {
    query: OCCASION,
    variables: { masjid, from: first_on, where },
  })
  return days[0]?.date ?? first_on
}

interface Trial {
  readonly masjid: string
  readonly change: Change
}

/** Prayers that are not held every day are shown as often as the five. */
const lastShown = ({ prayer, last_on }: Change, day: string): string => {
  const end = addDays(day, prayer === 'jumuah' ? 7 * (SHOWN_DAYS - 1) : SHOWN_DAYS - 1)
  return last_on !== null && last_on < end ? last_on : end
}

interface After {
  readonly change: {
    readonly schedule_id: string | null
    readonly ends_on: string | null
    readonly replaced_timetables: Readonly<Record<string, number>>
    readonly masjid: Seen
  }
}

/** Why a change is refused, or the reason to ask: it is inside a published timetable. */
export const meetsTimetable = ({ rule }: { readonly rule: string }): boolean =>
  rule === 'pc_iqamah_changes_replaces_timetables'

/** Published timetables stay, and if they cannot, this is how it would look without those days of theirs. */
const tryBeside = async (
  graphql: Engine,
  visit: SignedInVisit,
  variables: Readonly<Record<string, unknown>>,
): Promise<(After & { readonly asks: boolean }) | { readonly refused: string }> => {
  for (const replace_timetables of [false, true]) {
    const after = await ask<After>(graphql, visit, {
      query: AFTER,
      variables: { ...variables, replace_timetables },
      dryRun: true,
    })
    if ('data' in after) return { ...after.data, asks: replace_timetables }
    if (replace_timetables || !meetsTimetable(after.refused)) return { refused: after.refused.message }
  }
  throw new Error('a change that was neither made nor refused')
}

export const tryChange = async (
  graphql: Engine,
  visit: SignedInVisit,
  { masjid, change }: Trial,
): Promise<Tried | { readonly refused: string }> => {
  const day = await firstHeld(graphql, visit, { masjid, change })
  const until = lastShown(change, day)
  const bounds = { masjid, until, day, next: addDays(day, 1), friday: fridayFrom(day) }
  const { prayer, session, first_on } = change
  const before = await read<{ masjid: Seen }>(graphql, visit, {
    query: BEFORE,
    variables: { ...bounds, prayer, session, first_on },
  })
  const tried = await tryBeside(graphql, visit, { ...bounds, ...change })
  if ('refused' in tried) return tried
  const { schedule_id: ruleId, ends_on: endsOn, replaced_timetables, masjid: after } = tried.change
  return { before: before.masjid, after, ruleId, day, endsOn, replaces: tried.asks ? replaced_timetables : {} }
}

/** What change_iqamah expects, to notice that somebody else was quicker. */
export const expectedRules = (rules: readonly SeasonalRule[]): Readonly<Record<string, number>> =>
  Object.fromEntries(rules.map(({ id, version }) => [id, Number(version)]))

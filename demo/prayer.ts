/** Invents each masjid's sources of prayer times and its own iqamah rules, Jumu'ah, Taraweeh and Eid included. */
import { addDays, clockTime, minutesAheadOfUtc } from './calendar.ts'
import type { Masjid } from './directory.ts'
import { fixtureId } from './fixture-id.ts'
import { createRandom, type Random } from './random.ts'

export function generateSources(seed: number, today: string, masjids: readonly Masjid[]) {
  const random = createRandom(seed, 'sources')
  return masjids.flatMap((masjid, index) => {
    const source = (kind: string, priority: number, confidence: number, label: string) => ({
      id: fixtureId(seed, 'pc_prayer_sources', `${index}:${kind}`),
      masjid_id: masjid.id,
      kind,
      label,
      url:
        kind === 'ical' || kind === 'api'
          ? `https://${masjid.slug}.example.org/times.${kind === 'ical' ? 'ics' : 'json'}`
          : null,
      priority,
      confidence,
      last_attempt_at: `${today}T00:05:00Z`,
      last_success_at: `${addDays(today, -random.integer(0, 9))}T00:05:00Z`,
    })
    return [
      source('calculated', 0, 0.6, 'Calculated from the sun'),
      ...(random.chance(0.7) ? [source('manual', 20, 0.95, 'Entered by the masjid')] : []),
      ...(random.chance(0.2)
        ? [source(random.pick(['ical', 'api', 'uploaded']), 10, 0.8, 'The masjid’s calendar')]
        : []),
    ]
  })
}

type Rule = Readonly<Record<string, unknown>> & { readonly prayer: string }

const everyColumn = {
  session: 1,
  label: null,
  fixed_time: null,
  offset_minutes: null,
  round_to: null,
  not_before: null,
  season: 'all_year',
  weekdays: null,
  valid: '(,)',
  priority: 0,
}
const fixed = (prayer: string, fixed_time: string): Rule => ({ prayer, rule: 'fixed', fixed_time })
const offset = (prayer: string, offset_minutes: number): Rule => ({ prayer, rule: 'offset', offset_minutes })
const rounded = (prayer: string, offset_minutes: number, round_to: number): Rule => ({
  prayer,
  rule: 'rounded_offset',
  offset_minutes,
  round_to,
})

export function generateIqamahSchedules(seed: number, today: string, masjids: readonly Masjid[]) {
  const random = createRandom(seed, 'iqamah')
  const noons = createNoons(masjids)
  return masjids.flatMap((masjid, index) =>
    inventRules(random, today, noons(masjid)).map((rule, position) => ({
      id: fixtureId(seed, 'pc_iqamah_schedules', `${index}:${position}`),
      masjid_id: masjid.id,
      ...everyColumn,
      ...rule,
    })),
  )
}

function inventRules(random: Random, today: string, noons: Noons): Rule[] {
  return [
    random.chance(0.5) ? rounded('fajr', 20, 15) : offset('fajr', random.pick([20, 25, 30])),
    ...inventDhuhr(random, noons),
    random.chance(0.5) ? rounded('asr', 10, 15) : offset('asr', 15),
    offset('maghrib', random.pick([3, 5, 7, 10])),
    { ...rounded('isha', 10, 15), not_before: random.chance(0.5) ? '19:30' : null },
    ...inventJumuah(random, noons),
    { ...offset('isha', 15), season: 'ramadan', priority: 5 },
    { ...offset('taraweeh', random.pick([25, 30, 35])), season: 'ramadan' },
    rounded('eid_fitr', 40, 15),
    rounded('eid_adha', 30, 15),
    ...(random.chance(0.15)
      ? [{ ...offset('isha', 5), valid: `[${today},${addDays(today, 14)})`, priority: 10, label: 'Hall under repair' }]
      : []),
  ]
}

/** A fixed Dhuhr must lie after the latest noon of its season, or the iqamah would come before the adhan. */
function inventDhuhr(random: Random, { summer, winter }: Noons): Rule[] {
  const style = random.next()
  if (style < 0.3) return [rounded('dhuhr', 10, 15)]
  if (style < 0.6) return [fixed('dhuhr', clockTime(summer + 15))]
  return [
    { ...fixed('dhuhr', clockTime(summer + 15)), season: 'daylight_time' },
    { ...fixed('dhuhr', clockTime(winter + 15)), season: 'standard_time' },
  ]
}

function inventJumuah(random: Random, { summer }: Noons): Rule[] {
  const first = Math.max(summer + 15, 13 * 60 + random.pick([0, 15, 30]))
  const sessions = random.pick([1, 1, 2, 2, 3])
  const labels = ['First Jumu’ah', 'Second Jumu’ah', 'Third Jumu’ah']
  return Array.from({ length: sessions }, (_, index) => ({
    ...fixed('jumuah', clockTime(first + index * 60)),
    session: index + 1,
    label: labels[index],
    weekdays: [5],
  }))
}

/** The latest clock time of noon in minutes, up to the next quarter, while clocks are ahead and while they are not. */
type Noons = { readonly summer: number; readonly winter: number }

/** Asks for each zone once: formatting by zone is slow to set up. */
function createNoons(masjids: readonly Masjid[]): (masjid: Masjid) => Noons {
  const zones = new Map(
    [...new Set(masjids.map(masjid => masjid.timezone))].map(timezone => [
      timezone,
      { summer: minutesAheadOfUtc(timezone, '2025-07-01'), winter: minutesAheadOfUtc(timezone, '2025-01-01') },
    ]),
  )
  return masjid => {
    const { summer = 0, winter = 0 } = zones.get(masjid.timezone) ?? {}
    // by the sun's mean course; it strays from that by up to 17 minutes
    const latest = (ahead: number) => Math.ceil((12 * 60 - masjid.longitude * 4 + ahead + 17) / 15) * 15
    return { summer: latest(summer), winter: latest(winter) }
  }
}

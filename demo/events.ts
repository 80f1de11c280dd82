/** Invents 600 events: once and recurring, by the clock and by a prayer, in person and online. */
import { addDays, clockTime, onWeekday } from './calendar.ts'
import type { Masjid } from './directory.ts'
import { fixtureId } from './fixture-id.ts'
import { createRandom, type Random } from './random.ts'

const eventCount = 600
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

const subjects = [
  ['Tafsir halaqah', 'halaqah', 'everyone'],
  ['Seerah lecture', 'lecture', 'everyone'],
  ['Arabic for beginners', 'class', 'everyone'],
  ['Quran recitation circle', 'quran', 'everyone'],
  ['Hifz class', 'quran', 'children'],
  ['Youth basketball night', 'sports', 'youth'],
  ['Sisters’ study circle', 'halaqah', 'women'],
  ['Brothers’ breakfast', 'family', 'men'],
  ['Family game evening', 'family', 'families'],
  ['Food pantry', 'community_service', 'everyone'],
  ['Open house for neighbours', 'interfaith', 'everyone'],
  ['New Muslims’ tea', 'class', 'converts'],
  ['Community iftar', 'iftar', 'families'],
  ['Roof fund dinner', 'fundraiser', 'everyone'],
  ['Seniors’ morning', 'meeting', 'seniors'],
  ['General assembly', 'meeting', 'everyone'],
  ['Teen coding club', 'youth', 'youth'],
  ['Marriage workshop', 'class', 'everyone'],
] as const

export function generateEvents(seed: number, today: string, masjids: readonly Masjid[]) {
  const random = createRandom(seed, 'events')
  return Array.from({ length: eventCount }, (_, index) => {
    const masjid = masjids[index % masjids.length] as Masjid
    return inventEvent({ seed, today, random, masjid, index })
  })
}

type Recipe = { seed: number; today: string; random: Random; masjid: Masjid; index: number }

function inventEvent({ seed, today, random, masjid, index }: Recipe) {
  const [title, category, audience] = random.pick(subjects)
  const mode = random.pick(['in_person', 'in_person', 'in_person', 'hybrid', 'online'] as const)
  return {
    id: fixtureId(seed, 'up_events', index),
    masjid_id: masjid.id,
    title,
    description: `${title} at ${masjid.name}. An invented event; everybody is welcome to query it.`,
    category,
    audience,
    mode,
    location: mode === 'online' ? null : random.pick(['Main hall', 'Classroom 2', 'Courtyard', 'Library', 'Gymnasium']),
    online_url: mode === 'in_person' ? null : `https://meet.example.org/${masjid.slug}/${index}`,
    duration_minutes: random.pick([45, 60, 60, 90, 120, 180]),
    timezone: masjid.timezone,
    ...inventTimes(random, today),
    ...inventAnchor(random),
    status: random.pick([
      'scheduled',
      'scheduled',
      'scheduled',
      'scheduled',
      'scheduled',
      'scheduled',
      'scheduled',
      'cancelled',
      'postponed',
    ]),
    capacity: random.chance(0.4) ? random.pick([8, 12, 20, 40, 120]) : null,
  }
}

/** Starts stay on their weekday while today moves on, so that Friday's circle remains Friday's. */
function inventTimes(random: Random, today: string) {
  const weekday = random.integer(1, 7)
  const time = clockTime(random.integer(36, 80) * 15)
  const recurrence = random.pick([
    'once',
    'once',
    'weekly',
    'weekly',
    'fortnightly',
    'monthly',
    'daily',
    'course',
  ] as const)
  const weeks = recurrence === 'once' ? random.integer(0, 12) : random.integer(-20, 4)
  const first = onWeekday(addDays(today, weeks * 7), weekday)
  const starts = (date: string) => `${date}T${time}:00`
  const day = days[weekday - 1]
  const rules = {
    once: null,
    weekly: `FREQ=WEEKLY;BYDAY=${day}`,
    fortnightly: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${day}`,
    monthly: `FREQ=MONTHLY;BYDAY=${Math.ceil(Number(first.slice(8)) / 7) > 4 ? -1 : Math.ceil(Number(first.slice(8)) / 7)}${day}`,
    daily: `FREQ=DAILY;COUNT=${random.integer(10, 40)}`,
    course: `FREQ=WEEKLY;BYDAY=${day};UNTIL=${addDays(first, 7 * random.integer(6, 20)).replaceAll('-', '')}T235959Z`,
  } as const
  const leavesOut = recurrence === 'weekly' && random.chance(0.2)
  return {
    starts_local: starts(first),
    rrule: rules[recurrence],
    exdates: leavesOut ? [starts(addDays(first, 21)), starts(addDays(first, 154))] : [],
  }
}

function inventAnchor(random: Random) {
  if (!random.chance(0.2)) return { anchor_prayer: null, anchor_offset: null }
  return {
    anchor_prayer: random.pick(['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const),
    anchor_offset: random.pick([-30, 10, 20, 30]),
  }
}

// A screen, its times, announcements and events → what the script of the screen needs for weeks: every day and every notice as
// finished HTML, and the moments between which it changes.
import type { Language } from '../../accounts/languages.ts'
import { directionOf } from '../../accounts/languages.ts'
import { imageName } from '../../images/images.ts'
import { paths } from '../../oauth/discovery.ts'
import type { ScreenContent, ScreenTime, SunTime } from '../../screens/read-screen.ts'
import { type ScreenSettings, withUsual } from '../../screens/settings.ts'
import { type HallLook, hallDates } from '../hall/hall-look.ts'
import { type HallRow, hallSessions, hallTable } from '../hall/hall-table.ts'
import { nameOf, type PrayerTime } from '../hall/prayer-time.ts'
import { html } from '../pieces/html.ts'
import { textsFor } from '../texts/texts.ts'
import { announcementNotice, eventNotice, type Notice } from './notices.ts'

/** A row of the table, and when it is next: milliseconds since 1970. */
interface RowMoments {
  /** In each language of the screen. */
  readonly names: readonly string[]
  readonly adhan: number | null
  readonly iqamah: number | null
  /** Sunrise and parts of the night are no prayers: nothing counts down to them. */
  readonly prayed: boolean
}

interface Day {
  readonly date: string
  readonly html: string
  readonly rows: readonly RowMoments[]
}

const wordNames = [
  'adhanIn',
  'iqamahIn',
  'tomorrow',
  'ranOut',
  'ranOutHint',
  'offline',
  'clockUnchecked',
  'clockUnknown',
  'clockUnknownHint',
] as const

export interface ScreenState {
  /** In each language of the screen. */
  readonly names: readonly string[]
  readonly timezone: string
  readonly languages: readonly Language[]
  readonly direction: 'ltr' | 'rtl'
  readonly look: Omit<ScreenSettings, 'language'>
  /** In each language of the screen. */
  readonly words: Readonly<Record<(typeof wordNames)[number], readonly string[]>>
  readonly days: readonly Day[]
  readonly notices: readonly Notice[]
}

const lookOf = ({ language, clock }: ScreenSettings): HallLook => ({
  languages: language.split('-') as [Language, ...Language[]],
  clock: clock === '12' ? 'h12' : 'h23',
})

interface Entry extends HallRow {
  readonly moments: RowMoments
}

const millis = (moment: Date | null): number | null => moment?.getTime() ?? null

const prayerEntry = (look: HallLook, time: ScreenTime): Entry => {
  const shown = time as ScreenTime & PrayerTime
  const names = look.languages.map(language => nameOf(textsFor(language), shown))
  return {
    name: texts => nameOf(texts, shown),
    adhan: time.adhan_local,
    iqamah: time.iqamah_local,
    moments: { names, adhan: millis(time.adhan_at), iqamah: millis(time.iqamah_at), prayed: true },
  }
}

const sunEntry = ({ name, at, local }: SunTime): Entry => ({
  name: ({ hall }) => (name === 'sunrise' ? hall.sunrise : hall.otherTimes[name]),
  adhan: local,
  iqamah: null,
  moments: { names: [], adhan: at.getTime(), iqamah: null, prayed: false },
})

const startOf = ({ adhan, iqamah }: Entry): string => adhan ?? iqamah ?? ''

const dayOf = (look: HallLook, { times, sunTimes }: ScreenContent, date: string): Day => {
  const own = times.filter(time => time.date === date)
  const entries = [
    ...own.map(time => prayerEntry(look, time)),
    ...sunTimes.filter(time => time.date === date).map(sunEntry),
  ].sort((left, right) => startOf(left).localeCompare(startOf(right)))
  const friday = times.find(time => time.prayer === 'jumuah' && time.date >= date)?.date
  const sessions = times.filter(time => time.prayer === 'jumuah' && time.date === friday) as (ScreenTime & PrayerTime)[]
  const markup = html`<header>${hallDates(look, date, own[0])}</header>${hallTable(look, entries)}${hallSessions(look, sessions)}`
  return { date, html: markup.text, rows: entries.map(({ moments }) => moments) }
}

const words = ({ languages }: HallLook): ScreenState['words'] =>
  Object.fromEntries(
    wordNames.map(name => [name, languages.map(language => textsFor(language).hall[name])]),
  ) as unknown as ScreenState['words']

export const screenState = (content: ScreenContent): ScreenState => {
  const { screen, times, announcements, events } = content
  const { language, ...settings } = withUsual(screen.settings)
  const look = lookOf({ language, ...settings })
  const [first] = look.languages
  const names = { en: screen.name, ar: screen.nameArabic ?? screen.name }
  const logo =
    settings.logo === null || !screen.hasLogo ? null : `${paths.pictures}/fetched/${imageName(settings.logo)}`
  return {
    names: [...new Set(look.languages.map(tag => names[tag]))],
    timezone: screen.timezone,
    languages: look.languages,
    direction: directionOf(first),
    look: { ...settings, logo },
    words: words(look),
    days: [...new Set(times.map(({ date }) => date))].map(date => dayOf(look, content, date)),
    notices: [
      ...announcements.map(announcement => announcementNotice(look, announcement)),
      ...events.map(event => eventNotice(look, event)),
    ],
  }
}

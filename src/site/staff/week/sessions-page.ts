// The rules of Jumu'ah, Eid and Taraweeh, and the coming Fridays → the page that shows and changes them.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { GivenTimes } from '../../../timetables/store/given-times.ts'
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { dateWords, languageWords } from '../../hall/date-words.ts'
import { nameOf, type Prayer, type PrayerTime } from '../../hall/prayer-time.ts'
import { linkButton } from '../../pieces/buttons.ts'
import { table } from '../../pieces/data.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { staffFrame } from '../staff-frame.ts'
import { nearDay } from '../times/day-words.ts'
import { ruleWords, type SeasonalRule, seasonWords } from './rule-words.ts'
import { weekMenu } from './week-menu.ts'
import { changePath } from './week-page.ts'

export interface SessionsParts {
  readonly masjid: StaffedMasjid
  readonly today: string
  readonly rules: readonly SeasonalRule[]
  readonly fridays: readonly PrayerTime[]
  /** By which published timetables people pray, from today on. */
  readonly given: readonly GivenTimes[]
}

const shownPrayers = ['jumuah', 'taraweeh', 'eid_fitr', 'eid_adha'] as const satisfies readonly Prayer[]
const MOST_SESSIONS = 9

const isCurrent = ({ valid }: SeasonalRule, today: string): boolean => {
  const end = valid.slice(valid.indexOf(',') + 1, -1)
  return end === '' || end > today
}

const days = (view: View, { valid }: SeasonalRule): string => {
  const start = valid.slice(1, valid.indexOf(','))
  return start === '' ? '' : dateWords(view.language, start, 'short')
}

const aboutRule = (view: View, rule: SeasonalRule): Html => {
  const parts = [
    rule.imam,
    rule.language === null ? null : languageWords(view.language, rule.language),
    rule.season === 'all_year' ? null : seasonWords(view, { ...rule, weekdays: null }),
  ].filter(part => part !== null)
  return html`${parts.map((part, index) => html`${index > 0 && ' · '}<bdi>${part}</bdi>`)}`
}

const rulesTable = (view: View, { masjid, today, rules }: SessionsParts, prayer: Prayer): Html => {
  const { week, staff } = view.texts
  const rows = rules.map(rule => [
    html`<bdi>${nameOf(view.texts, rule)}</bdi>`,
    html`<bdi>${rule.is_cancelled ? week.notHeld : ruleWords(view, rule)}</bdi><br><span class="soft">${aboutRule(view, rule)}</span>`,
    days(view, rule),
    linkButton({
      href: changePath(masjid, { prayer, session: rule.session, date: today }),
      text: week.fromNow,
      size: 'small',
      label: fillText(week.changeTitle, { prayer: nameOf(view.texts, rule) }),
    }),
  ])
  return table({ caption: staff.prayers[prayer], head: [week.session, week.rule, week.firstOn, week.change], rows })
}

/** Published timetables stand above the rules on their days. */
const timetableLines = (view: View, { today, given }: SessionsParts, prayer: Prayer): Html[] => {
  const { week } = view.texts
  const ofPrayer = Map.groupBy(
    given.filter(times => times.prayer === prayer),
    ({ id }) => id,
  )
  return [...ofPrayer.values()].flatMap(([times]) => {
    if (times === undefined) return []
    const words = times.first > today ? week.timetableFrom : week.timetableUntil
    const [first, last] = [nearDay(view, times.first, today), nearDay(view, times.last, today)]
    return [html`<p>${fill(words, { first, last, name: times.name })}</p>`]
  })
}

const prayerBlock = (view: View, parts: SessionsParts, prayer: Prayer): Html => {
  const { week, staff } = view.texts
  const rules = parts.rules.filter(rule => rule.prayer === prayer && isCurrent(rule, parts.today))
  const next = Math.max(0, ...rules.map(({ session }) => session)) + 1
  return html`<h2>${staff.prayers[prayer]}</h2>${
    rules.length === 0 ? html`<p class="soft">${week.noSessions}</p>` : rulesTable(view, { ...parts, rules }, prayer)
  }${timetableLines(view, parts, prayer)}${
    next <= MOST_SESSIONS &&
    html`<p>${linkButton({
      href: changePath(parts.masjid, { prayer, session: next, date: parts.today }),
      text: week.addSession,
      size: 'small',
      label: `${week.addSession}: ${staff.prayers[prayer]}`,
    })}</p>`
  }`
}

const fridayRows = (view: View, { masjid, fridays }: SessionsParts): Html => {
  const { week, hall, staff } = view.texts
  const rows = fridays.map(time => [
    dateWords(view.language, time.date, 'short'),
    html`<bdi>${nameOf(view.texts, time)}</bdi>${time.imam !== null && html`<br><bdi class="soft">${time.imam}</bdi>`}${
      time.language !== null && html`<br><span class="soft">${languageWords(view.language, time.language)}</span>`
    }`,
    clockWords(view.language, time.khutbah_local),
    html`<strong>${clockWords(view.language, time.iqamah_local)}</strong>`,
    linkButton({
      href: changePath(masjid, { ...time, only: true }),
      text: week.thisFriday,
      size: 'small',
      label: fillText(week.thisFridayNamed, {
        date: dateWords(view.language, time.date, 'short'),
        prayer: nameOf(view.texts, time),
      }),
    }),
  ])
  const head = [week.friday, week.session, hall.khutbah, staff.iqamah, week.change]
  return html`<h2>${week.comingFridays}</h2>${rows.length === 0 ? html`<p class="soft">${week.noSessions}</p>` : table({ caption: week.comingFridays, head, rows, cards: true })}`
}

export const sessionsPage = (view: View, parts: SessionsParts): Html =>
  staffFrame(view, {
    masjid: parts.masjid,
    section: 'week',
    title: view.texts.week.sessionsTitle,
    main: html`${weekMenu(view, parts.masjid, 'sessions')}${fridayRows(view, parts)}${shownPrayers.map(prayer => prayerBlock(view, parts, prayer))}`,
  })

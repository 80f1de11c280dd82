// The hijri date, the coming months and the days of Ramadan → the page "Ramadan and months".
import { addDays } from '../../../base/civil-date.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { dateWords, hijriWords, monthName, numberWords } from '../../hall/date-words.ts'
import type { Prayer, PrayerTime } from '../../hall/prayer-time.ts'
import { linkButton, submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { table } from '../../pieces/data.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { eveningWords } from './ramadan-evenings.ts'
import type { Month, Months } from './read-months.ts'
import { byDate } from './read-times.ts'
import { weekMenu } from './week-menu.ts'

export interface RamadanParts {
  readonly masjid: StaffedMasjid
  readonly today: string
  readonly months: Months
  /** Of the days of Ramadan, and of the evening before. */
  readonly times: readonly PrayerTime[]
  readonly done: string | undefined
  readonly refusal?: string | undefined
  /** What was just announced, to take it back at once. */
  readonly announced?: { readonly year: string; readonly month: string; readonly was: string } | undefined
}

/** From this day of a month on the next may begin tomorrow. */
const LAST_DAYS = 29

const tomorrowForm = (view: View, { masjid, today, months }: RamadanParts): Html | false => {
  const { week } = view.texts
  const [next] = months.coming.filter(({ startsOn }) => startsOn > today)
  const tomorrow = addDays(today, 1)
  const isDecided = next?.decidedBy === 'own' && next.startsOn === tomorrow
  if (next === undefined || months.today === undefined || months.today.hijri_day < LAST_DAYS || isDecided) return false
  return html`<div class="card">${form(view, {
    action: staffPath(masjid, 'week/month'),
    hidden: { year: String(next.year), month: String(next.month), starts_on: tomorrow },
    fields: html`${submitButton({ text: fillText(week.beginsTomorrow, { month: monthName(view.texts, next.month) }), look: 'primary', size: 'full' })}
<p class="hint">${week.beginsTomorrowHint}</p>`,
  })}</div>`
}

const undoForm = (view: View, { masjid, announced }: RamadanParts): Html | false => {
  if (announced === undefined) return false
  const { year, month, was } = announced
  return form(view, {
    action: staffPath(masjid, was === '' ? 'week/month/withdraw' : 'week/month'),
    hidden: { year, month, ...(was === '' ? {} : { starts_on: was }) },
    fields: submitButton({ text: view.texts.week.undo, size: 'small' }),
  })
}

const decidedWords = ({ texts }: View, month: Month, { authority }: Months): Html =>
  fill(texts.week.decided[month.decidedBy], { authority: authority?.name ?? '' })

const monthsTable = (view: View, { masjid, months }: RamadanParts): Html => {
  const { week } = view.texts
  const rows = months.coming.map(month => {
    const name = `${monthName(view.texts, month.month)} ${numberWords(view.language, month.year)}`
    return [
      name,
      dateWords(view.language, month.startsOn, 'short'),
      decidedWords(view, month, months),
      linkButton({
        href: `${staffPath(masjid, 'week/month')}?year=${month.year}&month=${month.month}`,
        text: week.setStart,
        size: 'small',
        label: fillText(week.setStartNamed, { month: name }),
      }),
    ]
  })
  return html`<h2>${week.months}</h2>${table({ caption: week.months, head: [week.month, week.begins, week.decidedBy, week.change], rows })}`
}

const followForm = (view: View, { masjid, months }: RamadanParts): Html => {
  const { week } = view.texts
  return html`<div class="card form-card">${form(view, {
    action: staffPath(masjid, 'week/follow'),
    fields: html`${selectField({
      name: 'authority',
      label: week.follow,
      hint: week.followHint,
      choices: [
        { value: '', label: week.followNobody },
        ...months.authorities.map(({ id, name }) => ({ value: id, label: name })),
      ],
      chosen: [months.authority?.id ?? ''],
    })}${submitButton({ text: week.save })}`,
  })}</div>`
}

const glance = (view: View, parts: RamadanParts): Html => {
  const { masjid, times, months } = parts
  const { week, staff } = view.texts
  const inRamadan = times.filter(({ date }) => months.ramadanDays.includes(date))
  const rows = [...byDate(inRamadan)].map(([date, ofDay], index) => {
    const local = (prayer: Prayer, field: 'adhan_local' | 'iqamah_local'): string =>
      clockWords(view.language, ofDay.find(time => time.prayer === prayer && time.session === 1)?.[field] ?? null)
    return [
      numberWords(view.language, index + 1),
      dateWords(view.language, date, 'short'),
      local('fajr', 'adhan_local'),
      local('maghrib', 'adhan_local'),
      local('isha', 'iqamah_local'),
      local('taraweeh', 'iqamah_local'),
    ]
  })
  const head = [monthName(view.texts, 9), week.day, week.suhoor, week.iftar, staff.prayers.isha, staff.prayers.taraweeh]
  return html`<h2 id="ramadan">${week.glance}</h2>${
    rows.length === 0
      ? html`<p class="soft">${week.noRamadan}</p>`
      : html`<p>${linkButton({ href: `${staffPath(masjid, 'print')}?month=ramadan`, text: week.printRamadan, size: 'small' })}</p>${eveningWords(view, times)}${table({ caption: week.glance, head, rows })}`
  }`
}

export const ramadanPage = (view: View, parts: RamadanParts): Html => {
  const { masjid, months, done, refusal } = parts
  const { week } = view.texts
  return staffFrame(view, {
    masjid,
    section: 'week',
    title: week.ramadanTitle,
    done,
    faulty: refusal !== undefined,
    main: html`${undoForm(view, parts)}${refusal !== undefined && notice({ tone: 'bad', text: html`<bdi>${refusal}</bdi>` })}${weekMenu(view, masjid, 'ramadan')}
<p class="lead">${months.today && fill(week.todayIs, { date: hijriWords(view.language, view.texts, months.today) })}</p>
${tomorrowForm(view, parts)}${glance(view, parts)}${monthsTable(view, parts)}${followForm(view, parts)}`,
  })
}

// The days of a month → one A4 page, in one language or two, in three styles.
import { readFileSync } from 'node:fs'
import { directionOf, type Language } from '../../../accounts/languages.ts'
import { dailyPrayers } from '../../../prayer/daily-prayers.ts'
import { type OtherTime, otherTimes } from '../../../screens/settings.ts'
import { createAsset } from '../../frame/assets.ts'
import { dateWords, hijriWords, monthName, numberWords } from '../../hall/date-words.ts'
import type { Prayer } from '../../hall/prayer-time.ts'
import { fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { type Texts, textsFor } from '../../texts/texts.ts'
import type { Sheet, SheetDay } from './read-sheet.ts'
import { imsakMinutes, languagesOf, type SheetOptions } from './sheet-options.ts'
import { inEach, minutesBefore, sessionWords, sheetClock, specialTimes, timeOf } from './sheet-words.ts'

export const sheetStyle = createAsset(
  'sheet.css',
  'text/css; charset=utf-8',
  readFileSync(new URL('./sheet.css', import.meta.url)),
)

interface Column {
  readonly head: (texts: Texts) => string
  readonly cell: (day: SheetDay) => string | null
  readonly kind?: 'iqamah'
}

const adhan = (prayer: Prayer, head?: (texts: Texts) => string): Column => ({
  head: head ?? (({ staff }) => staff.prayers[prayer]),
  cell: day => timeOf(day, prayer)?.adhan_local ?? null,
})

const iqamah = (prayer: Prayer, head?: (texts: Texts) => string): Column => ({
  head: head ?? (({ print }) => print.iqamah),
  cell: day => timeOf(day, prayer)?.iqamah_local ?? null,
  kind: 'iqamah',
})

const other = (name: OtherTime): Column => ({
  head: ({ hall }) => hall.otherTimes[name],
  cell: day => day.others[name] ?? null,
})

/** Imsak before the prayers of the day, unless it is there already by its minutes; the parts of the night after them. */
const withOthers = (columns: readonly Column[], options: SheetOptions): readonly Column[] => {
  const chosen: readonly OtherTime[] = otherTimes[options.others]
  const hasImsak = options.month === 'ramadan' && imsakMinutes(options) !== undefined
  const before = chosen.filter(name => name === 'imsak' && !hasImsak)
  const after = chosen.filter(name => name !== 'imsak')
  return [...before.map(other), ...columns, ...after.map(other)]
}

const sunrise: Column = { head: ({ print }) => print.sunrise, cell: day => day.sunrise }

/** A prayer without any iqamah in the month needs no column for it. */
const monthColumns = ({ days }: Sheet): readonly Column[] =>
  dailyPrayers.flatMap(prayer => [
    adhan(prayer),
    ...(days.some(day => timeOf(day, prayer)?.iqamah_local != null) ? [iqamah(prayer)] : []),
    ...(prayer === 'fajr' ? [sunrise] : []),
  ])

const ramadanColumns = ({ days }: Sheet, options: SheetOptions): readonly Column[] => {
  const minutes = imsakMinutes(options)
  const imsak: Column = {
    head: ({ print }) => print.imsakHead,
    cell: day => minutesBefore(timeOf(day, 'fajr')?.adhan_local ?? null, minutes ?? 0),
  }
  const has = (prayer: Prayer): boolean => days.some(day => timeOf(day, prayer)?.iqamah_local != null)
  return [
    ...(minutes === undefined ? [] : [imsak]),
    adhan('fajr', ({ print }) => print.suhoor),
    sunrise,
    adhan('dhuhr'),
    adhan('asr'),
    adhan('maghrib', ({ print }) => print.iftar),
    adhan('isha'),
    ...(has('isha') ? [iqamah('isha')] : []),
    ...(has('taraweeh') ? [iqamah('taraweeh', ({ staff }) => staff.prayers.taraweeh)] : []),
  ]
}

const said = (languages: readonly Language[], words: (texts: Texts) => string): Html =>
  html`${inEach(languages, words).map(({ language, text }) => html`<span lang="${language}" dir="${directionOf(language)}">${text}</span> `)}`

const hijriShort = (language: Language, { times }: SheetDay): string => {
  const [time] = times
  if (time === undefined) return ''
  const day = numberWords(language, time.hijri_day)
  return time.hijri_day === 1 ? `${day} ${monthName(textsFor(language), time.hijri_month)}` : day
}

const isFriday = ({ date }: SheetDay): boolean => new Date(`${date}T00:00:00Z`).getUTCDay() === 5

const rowOf = (day: SheetDay, columns: readonly Column[], options: SheetOptions): Html => {
  const [main = 'en'] = languagesOf(options)
  const first = options.month === 'ramadan' ? hijriShort(main, day).split(' ')[0] : hijriShort(main, day)
  return html`<tr class="${isFriday(day) ? 'friday' : ''}"><th scope="row">${dateWords(main, day.date, 'weekday')} ${dateWords(main, day.date, 'day')}${options.month === 'ramadan' && html` <small>${dateWords(main, day.date, 'shortMonth')}</small>`}</th>
<td class="hijri">${first}</td>${columns.map(column => html`<td class="${column.kind ?? ''}">${sheetClock(main, options, column.cell(day))}</td>`)}</tr>`
}

/** The same session on every Friday is one line. */
const specials = ({ days, eve }: Sheet, options: SheetOptions): readonly Html[] => {
  const lines = new Map<string, Html>()
  for (const time of [...(eve === undefined ? [] : [eve]), ...specialTimes(days)]) {
    const words = inEach(languagesOf(options), () => '').map(({ language }) => ({
      language,
      text: `${sessionWords(language, options, time)}${time.prayer === 'jumuah' ? '' : ` · ${dateWords(language, time.date, 'short')}`}`,
    }))
    const key = words.map(({ text }) => text).join('\n')
    lines.set(
      key,
      html`<li>${words.map(({ language, text }) => html`<span lang="${language}" dir="${directionOf(language)}">${text}</span> `)}</li>`,
    )
  }
  return [...lines.values()].slice(0, MOST_LINES)
}

/** More would not fit the page. */
const MOST_LINES = 6

export const monthWords = (
  language: Language,
  { days }: Pick<Sheet, 'days'>,
  options: Pick<SheetOptions, 'month'>,
): string => {
  const texts = textsFor(language)
  const [first] = days
  const hijri = first?.times[0]
  if (options.month === 'ramadan' && hijri !== undefined)
    return fillText(texts.print.ramadan, { year: numberWords(language, hijri.hijri_year) })
  return dateWords(language, `${options.month}-01`, 'month')
}

const hijriSpan = (language: Language, { days }: Sheet): string => {
  const ends = [days[0]?.times[0], days.at(-1)?.times[0]].filter(time => time !== undefined)
  return [...new Set(ends.map(time => hijriWords(language, textsFor(language), time)))].join(' – ')
}

const masjidName = ({ masjid }: Sheet, language: Language): string =>
  (language === 'ar' && masjid.nameArabic) || masjid.name

export const sheetPage = (sheet: Sheet, options: SheetOptions): Html => {
  const languages = languagesOf(options)
  const [main = 'en'] = languages
  const usual = options.month === 'ramadan' ? ramadanColumns(sheet, options) : monthColumns(sheet)
  const columns = withOthers(usual, options)
  const title = (language: Language): string =>
    fillText(textsFor(language).print.sheetTitle, { month: monthWords(language, sheet, options) })
  const names = [...new Set(languages.map(language => masjidName(sheet, language)))]
  return html`<!doctype html>
<html lang="${main}" dir="${directionOf(main)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title(main)} · ${names[0]}</title><link rel="stylesheet" href="${sheetStyle.path}"></head>
<body class="${options.style}${options.language === 'both' ? ' both' : ''}"><aside class="hint">${textsFor(main).print.printHint}</aside>
<main class="sheet"><header><h1>${names.map(name => html`<bdi>${name}</bdi> `)}</h1>
${languages.map(language => html`<p class="month" lang="${language}" dir="${directionOf(language)}">${title(language)}</p>`)}
<p class="hijri-span">${hijriSpan(main, sheet)}</p></header>
${sheet.days.length === 0 && html`<p>${textsFor(main).print.noDays}</p>`}
<table><thead><tr><th scope="col">${said(languages, ({ print }) => print.date)}</th><th scope="col">${said(languages, ({ print, hall }) => (options.month === 'ramadan' ? hall.hijriMonths.m9 : print.hijri))}</th>${columns.map(
    column => html`<th scope="col" class="${column.kind ?? ''}">${said(languages, column.head)}</th>`,
  )}</tr></thead>
<tbody>${sheet.days.map(day => rowOf(day, columns, options))}</tbody></table>
<footer><ul>${specials(sheet, options)}</ul><p><bdi>${sheet.masjid.city ?? ''}</bdi> · ${sheet.masjid.timezone}</p></footer></main></body></html>
`
}

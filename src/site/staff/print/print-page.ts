// The options of a sheet, and a day → the page that prints and shares.
import { directionOf, type Language, languages } from '../../../accounts/languages.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { dateWords } from '../../hall/date-words.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { textsFor } from '../../texts/texts.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import type { SheetDay } from './read-sheet.ts'
import { shareText } from './share-text.ts'
import {
  clocks,
  imsaks,
  languageChoices,
  optionsQuery,
  othersChoices,
  type SheetOptions,
  styles,
} from './sheet-options.ts'

export interface PrintParts {
  readonly masjid: StaffedMasjid
  readonly options: SheetOptions
  /** Months that have times, as `2026-12`. */
  readonly months: readonly string[]
  readonly ramadanYear: string | undefined
  /** Undefined if it has no times. */
  readonly day: SheetDay | undefined
  readonly date: string
}

const chooser = (view: View, { masjid, options, months, ramadanYear, date }: PrintParts): Html => {
  const { print, staffScreens } = view.texts
  const choice = <Name extends string>(
    name: string,
    label: string,
    words: Readonly<Record<Name, string>>,
    of: readonly Name[],
    chosen: string,
  ): Html => selectField({ name, label, choices: of.map(value => ({ value, label: words[value] })), chosen: [chosen] })
  const monthChoices = [
    ...months.map(value => ({ value, label: dateWords(view.language, `${value}-01`, 'month') })),
    ...(ramadanYear === undefined ? [] : [{ value: 'ramadan', label: fillText(print.ramadan, { year: ramadanYear }) }]),
  ]
  return html`<form method="get" action="${staffPath(masjid, 'print')}" class="card"><div class="filters">${selectField({ name: 'month', label: print.month, choices: monthChoices, chosen: [options.month] })}${choice('style', print.style, print.styles, styles, options.style)}${choice('language', print.language, print.languages, languageChoices, options.language)}${choice('clock', print.clock, print.clocks, clocks, options.clock)}${choice('others', staffScreens.otherTimes, staffScreens.otherChoices, othersChoices, options.others)}${choice('imsak', print.imsak, print.imsaks, imsaks, options.imsak)}${textField({ name: 'date', label: print.day, value: date, type: 'date' })}</div>
${submitButton({ text: print.show })}</form>
<p>${linkButton({ href: `${staffPath(masjid, 'print/sheet')}?${optionsQuery(options)}`, text: print.open, look: 'primary' })}</p>`
}

const pictures = (view: View, { masjid, options, date }: PrintParts, language: Language): Html => {
  const { print } = view.texts
  const words = textsFor(language).languageName
  const address = (kind: 'day' | 'month'): string =>
    `${staffPath(masjid, 'print/picture.png')}?${new URLSearchParams({ kind, date, month: options.month, language, clock: options.clock })}`
  return html`<li class="card"><h3 lang="${language}">${words}</h3><img class="share-picture" src="${address('day')}" alt="${print.pictureOfDay} (${words})" width="270" height="338">
${actions(
  linkButton({ href: address('day'), text: print.download, size: 'small', label: `${print.download}: ${words}` }),
  linkButton({
    href: address('month'),
    text: print.downloadMonth,
    size: 'small',
    label: `${print.downloadMonth}: ${words}`,
  }),
)}</li>`
}

const messages = (view: View, { masjid, options, day }: PrintParts, language: Language): Html | false => {
  if (day === undefined) return false
  const { print } = view.texts
  const text = shareText(language, { masjid, day }, options)
  const label = fillText(print.textIn, { language: textsFor(language).languageName })
  return html`<h3>${label}</h3><textarea class="share-text" readonly rows="14" lang="${language}" dir="${directionOf(language)}" aria-label="${label}">
${text}</textarea>
<p><a href="https://wa.me/?text=${encodeURIComponent(text)}" rel="noopener noreferrer">${print.openMessenger}</a></p>`
}

export const printPage = (view: View, parts: PrintParts): Html => {
  const { print } = view.texts
  return staffFrame(view, {
    masjid: parts.masjid,
    section: 'print',
    main: html`<p class="lead">${print.lead}</p>${chooser(view, parts)}
<h2>${print.shareTitle}</h2><p>${print.shareLead} <bdi>${dateWords(view.language, parts.date, 'full')}</bdi></p>
${parts.day === undefined ? html`<p class="soft">${print.noDays}</p>` : html`<ul class="plain-list card-grid">${languages.map(language => pictures(view, parts, language))}</ul>`}
${languages.map(language => messages(view, parts, language))}`,
  })
}

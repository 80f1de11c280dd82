// A masjid, its times and the wishes in the address → the page inside the widget's frame.
import { directionOf } from '../../accounts/languages.ts'
import type { FormValues } from '../frame/form-body.ts'
import type { View } from '../frame/view.ts'
import { type ClockCycle, clockCycleOf } from '../hall/clock.ts'
import { dateWords, hijriWords } from '../hall/date-words.ts'
import { fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { changesAt } from './holds-for.ts'
import { stayCurrent, tellHeight, widgetStyle } from './masjid-assets.ts'
import { masjidPath, nameIn, type PublicMasjid } from './public-masjid.ts'
import type { PublicTimes } from './public-times.ts'
import { jumuahSessions, timesTable } from './today-section.ts'

const themes = ['auto', 'light', 'dark'] as const
const accents = ['green', 'blue', 'plum', 'gold', 'grey'] as const

export interface WidgetLook {
  readonly theme: (typeof themes)[number]
  readonly accent: (typeof accents)[number]
  /** Undefined: as usual in the masjid's country. */
  readonly clock: ClockCycle | undefined
}

/** All that the address of a widget may say. */
export const lookParameters = ['theme', 'accent', 'clock'] as const

/** Only words from these lists reach the page; anything else is as if it had not been said. */
export const readLook = (query: FormValues): WidgetLook => {
  const clock = query.text('clock')
  return {
    theme: themes.find(theme => theme === query.text('theme')) ?? 'auto',
    accent: accents.find(accent => accent === query.text('accent')) ?? 'green',
    clock: clock === '12' ? 'h12' : clock === '24' ? 'h23' : undefined,
  }
}

export interface WidgetParts {
  readonly masjid: PublicMasjid
  readonly times: PublicTimes
  readonly look: WidgetLook
}

const body = (view: View, { masjid, times, look }: WidgetParts): Html => {
  const { masjidPage: texts, staff } = view.texts
  const parts = { times, clock: look.clock ?? clockCycleOf(masjid.country) }
  const [first] = times.day.times
  return html`<h1><bdi>${nameIn(view.language, masjid)}</bdi></h1>
<p><time datetime="${times.today}">${dateWords(view.language, times.today, 'full')}</time>${first !== undefined && html` · ${hijriWords(view.language, view.texts, first)}`}</p>
${first === undefined ? html`<p>${texts.noTimes}</p>` : timesTable(view, parts)}
${times.jumuah.length > 0 && html`<h2>${staff.prayers.jumuah}</h2>${jumuahSessions(view, parts)}`}
<p><a href="${masjidPath(masjid)}?lang=${view.language}" target="_blank" rel="noopener">${texts.fullPage}</a></p>`
}

export const widgetPage = (view: View, parts: WidgetParts): Html => {
  const { masjid, times, look } = parts
  const title = fillText(view.texts.masjidPage.widgetTitle, { name: nameIn(view.language, masjid) })
  return html`<!doctype html>
<html lang="${view.language}" dir="${directionOf(view.language)}" data-theme="${look.theme}" data-accent="${look.accent}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${widgetStyle.path}">
<script src="${tellHeight.path}" defer></script>
<script src="${stayCurrent.path}" defer></script>
</head>
<body><main data-changes-at="${changesAt(masjid, times).toISOString()}">${body(view, parts)}</main></body>
</html>
`
}

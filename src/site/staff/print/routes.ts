// /staff/{slug}/print: a month on paper, a picture and a text to share.

import { isLanguage } from '../../../accounts/languages.ts'
import { addDays } from '../../../base/civil-date.ts'
import { localDateAt } from '../../../base/local-time.ts'
import { createDrawing, type DrawPicture } from '../../drawing/draw-picture.ts'
import { type Answer, sendFile, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { numberWords } from '../../hall/date-words.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { isDate } from '../week/change-values.ts'
import { readMonths } from '../week/read-months.ts'
import { dayPicture } from './day-picture.ts'
import { monthPicture } from './month-picture.ts'
import { printPage } from './print-page.ts'
import { monthStretch, readDay, readSheet, type Sheet } from './read-sheet.ts'
import { readOptions, type SheetOptions } from './sheet-options.ts'
import { sheetPage } from './sheet-page.ts'

/** Times are calculated 400 days ahead. */
const MONTHS = 13

const monthsFrom = (today: string): readonly string[] => {
  const [year = 0, month = 0] = today.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(year, month - 1 + index, 1)).toISOString().slice(0, 7),
  )
}

const todayHere = ({ masjid }: StaffVisit): string => localDateAt(new Date(), masjid.timezone)

const dateAsked = (here: StaffVisit): string => {
  const asked = here.visit.query.text('date')
  return isDate(asked) ? asked : todayHere(here)
}

const sheetOf = async ({ graphql }: StaffParts, here: StaffVisit, { month }: SheetOptions): Promise<Sheet> => {
  const { visit, masjid } = here
  if (month !== 'ramadan') return readSheet(graphql, visit, { masjid, stretch: monthStretch(month) })
  const { ramadanDays } = await readMonths(graphql, visit, { masjid: masjid.id, today: todayHere(here) })
  const [from] = ramadanDays
  if (from === undefined) return { masjid, days: [] }
  const sheet = await readSheet(graphql, visit, { masjid, stretch: { from, days: ramadanDays.length } })
  const before = await readSheet(graphql, visit, { masjid, stretch: { from: addDays(from, -1), days: 1 } })
  return { ...sheet, eve: before.days[0]?.times.find(({ prayer }) => prayer === 'taraweeh') }
}

const optionsOf = (here: StaffVisit): SheetOptions => readOptions(here.visit.query, here.visit.view, todayHere(here))

const showPrint = async ({ graphql }: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const today = todayHere(here)
  const date = dateAsked(here)
  const day = await readDay(graphql, visit, { masjid, date })
  const { coming, ramadanDays, today: hijri } = await readMonths(graphql, visit, { masjid: masjid.id, today })
  const year = coming.find(({ month }) => month === 9)?.year ?? hijri?.hijri_year
  const inRamadan = hijri?.hijri_month === 9 ? hijri.hijri_year : year
  const page = printPage(visit.view, {
    masjid,
    options: optionsOf(here),
    months: monthsFrom(today),
    ramadanYear:
      ramadanDays.length === 0 || inRamadan === undefined ? undefined : numberWords(visit.view.language, inRamadan),
    day,
    date,
  })
  return showPage(page)
}

const showSheet = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const options = optionsOf(here)
  return showPage(sheetPage(await sheetOf(parts, here, options), options))
}

const svgOf = async (parts: StaffParts, here: StaffVisit): Promise<string> => {
  const { visit, masjid } = here
  const options = optionsOf(here)
  const asked = visit.query.text('language')
  const language = isLanguage(asked) ? asked : visit.view.language
  if (visit.query.text('kind') === 'month')
    return monthPicture({ sheet: await sheetOf(parts, here, options), language, options })
  const date = dateAsked(here)
  const day = await readDay(parts.graphql, visit, { masjid, date })
  return dayPicture({ masjid, day: day ?? { date, times: [], sunrise: null, others: {} }, language, options })
}

const nameOf = ({ masjid, visit }: StaffVisit, ending: string): string =>
  `${masjid.slug}-${visit.query.text('kind') === 'month' ? 'month' : 'day'}.${ending}`

const sendPng = async (parts: StaffParts, here: StaffVisit, draw: DrawPicture): Promise<Answer> => {
  const png = await draw(here.masjid.id, await svgOf(parts, here))
  return sendFile({ name: nameOf(here, 'png'), contentType: 'image/png', body: [png] })
}

const sendSvg = async (parts: StaffParts, here: StaffVisit): Promise<Answer> =>
  sendFile({ name: nameOf(here, 'svg'), contentType: 'image/svg+xml', body: [await svgOf(parts, here)] })

export const addPrintRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const draw = createDrawing(parts.drawing)
  const here = (path: string): string => `/staff/:slug/print${path}`
  routes.getSignedIn(
    here(''),
    atMasjid(parts, at => showPrint(parts, at), 'times'),
  )
  routes.getSignedIn(
    here('/sheet'),
    atMasjid(parts, at => showSheet(parts, at), 'times'),
  )
  routes.getSignedIn(
    here('/picture.png'),
    atMasjid(parts, at => sendPng(parts, at, draw), 'times'),
  )
  routes.getSignedIn(
    here('/picture.svg'),
    atMasjid(parts, at => sendSvg(parts, at), 'times'),
  )
}

// A masjid and its times of today → the picture that previews of its page show, as SVG.
import type { Language } from '../../accounts/languages.ts'
import { dailyPrayers } from '../../prayer/daily-prayers.ts'
import { band, type Canvas, colours, drawing, writeText } from '../drawing/picture-parts.ts'
import { type ClockCycle, clockCycleOf, clockWords } from '../hall/clock.ts'
import { dateWords, hijriWords } from '../hall/date-words.ts'
import { inOrder } from '../hall/prayer-time.ts'
import { fillText } from '../pieces/fill.ts'
import type { Html } from '../pieces/html.ts'
import { textsFor } from '../texts/texts.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from './page-head.ts'
import { nameIn, otherNameIn, type PublicMasjid } from './public-masjid.ts'
import type { PublicTime } from './public-time.ts'
import type { PublicTimes } from './public-times.ts'

export interface OgPictureParts {
  readonly masjid: PublicMasjid
  readonly times: PublicTimes
  readonly language: Language
}

const MARGIN = 60
const WIDEST = PICTURE_WIDTH - 2 * MARGIN
const LONGEST_NAME = 80
const COLUMN = WIDEST / dailyPrayers.length

/** At the smallest size, more would not fit. */
const shortened = (text: string): string =>
  text.length > LONGEST_NAME ? `${[...text].slice(0, LONGEST_NAME - 1).join('')}…` : text

const middle = { x: PICTURE_WIDTH / 2, align: 'middle', most: WIDEST } as const

const headLines = (canvas: Canvas, { masjid, times, language }: OgPictureParts): readonly Html[] => {
  const other = otherNameIn(language, masjid)
  const [first] = times.day.times
  const place = [masjid.city, masjid.state].filter(part => part !== null).join(', ')
  const hijri = first === undefined ? '' : ` · ${hijriWords(language, textsFor(language), first)}`
  return [
    writeText(canvas, { ...middle, text: shortened(nameIn(language, masjid)), y: 110, size: 68, bold: true }),
    writeText(canvas, {
      ...middle,
      text: shortened(other === null ? place : `${other} · ${place}`),
      y: 175,
      size: 38,
      colour: colours.soft,
    }),
    writeText(canvas, {
      ...middle,
      text: `${dateWords(language, times.today, 'full')}${hijri}`,
      y: 250,
      size: 36,
      colour: colours.accent,
    }),
  ]
}

/** The iqamah large under the adhan; the adhan alone where there is none. */
const prayerColumn = (
  canvas: Canvas,
  { language, clock }: { readonly language: Language; readonly clock: ClockCycle },
  [time, index]: readonly [PublicTime, number],
): readonly Html[] => {
  const at = { x: MARGIN + COLUMN * (index + 0.5), align: 'middle', most: COLUMN - 16 } as const
  const large = time.iqamah_local ?? time.adhan_local
  return [
    writeText(canvas, { ...at, text: textsFor(language).staff.prayers[time.prayer], y: 350, size: 36 }),
    writeText(canvas, { ...at, text: clockWords(language, large, clock), y: 420, size: 46, bold: true }),
    ...(time.iqamah_local === null
      ? []
      : [
          writeText(canvas, {
            ...at,
            text: clockWords(language, time.adhan_local, clock),
            y: 468,
            size: 28,
            colour: colours.soft,
          }),
        ]),
  ]
}

const MOST_SESSIONS = 4

/** "Jumu'ah 1:15 PM · 2:15 PM" */
const jumuahLine = (language: Language, clock: ClockCycle, sessions: readonly PublicTime[]): string => {
  const times = inOrder(sessions).map(time => clockWords(language, time.iqamah_local ?? time.adhan_local, clock))
  return times.length === 0
    ? ''
    : `${textsFor(language).staff.prayers.jumuah} ${times.slice(0, MOST_SESSIONS).join('  ·  ')}`
}

export const ogPicture = (parts: OgPictureParts): string => {
  const { masjid, times, language } = parts
  const canvas = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT, language }
  const clock = clockCycleOf(masjid.country)
  const daily = dailyPrayers
    .map(prayer => times.day.times.find(time => time.prayer === prayer && time.session === 1))
    .filter(time => time !== undefined)
  const title = fillText(textsFor(language).masjidPage.picture, { name: nameIn(language, masjid) })
  return drawing(canvas, title, [
    ...headLines(canvas, parts),
    ...(daily.length === 0 ? [] : [band(canvas, 295, 200)]),
    ...daily.flatMap((time, index) => prayerColumn(canvas, { language, clock }, [time, index])),
    writeText(canvas, {
      ...middle,
      text: jumuahLine(language, clock, times.jumuah),
      y: 560,
      size: 36,
      bold: true,
      colour: colours.accent,
    }),
  ])
}

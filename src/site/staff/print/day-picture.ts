// A day's times → a picture of them as SVG, in the shape of a post.
import type { Language } from '../../../accounts/languages.ts'
import { band, type Canvas, colours, drawing, writeText } from '../../drawing/picture-parts.ts'
import { dateWords, hijriWords } from '../../hall/date-words.ts'
import { inOrder, isDaily, nameOf, type PrayerTime } from '../../hall/prayer-time.ts'
import type { Html } from '../../pieces/html.ts'
import { textsFor } from '../../texts/texts.ts'
import type { Sheet, SheetDay } from './read-sheet.ts'
import type { SheetOptions } from './sheet-options.ts'
import { sessionWords, sheetClock } from './sheet-words.ts'

const WIDTH = 1080
const HEIGHT = 1350
const TOP = 420
const ROW = 110
const columns = { name: 90, adhan: 640, iqamah: 990 }

export interface DayPicture {
  readonly masjid: Sheet['masjid']
  readonly day: SheetDay
  readonly language: Language
  readonly options: Pick<SheetOptions, 'clock'>
}

const headLines = (canvas: Canvas, { masjid, day, language }: DayPicture): readonly Html[] => {
  const texts = textsFor(language)
  const name = (language === 'ar' && masjid.nameArabic) || masjid.name
  const [first] = day.times
  const middle = { x: WIDTH / 2, align: 'middle', most: WIDTH - 120 } as const
  return [
    writeText(canvas, { ...middle, text: name, y: 120, size: 60, bold: true }),
    writeText(canvas, { ...middle, text: dateWords(language, day.date, 'full'), y: 200, size: 42 }),
    writeText(canvas, {
      ...middle,
      text: first === undefined ? '' : hijriWords(language, texts, first),
      y: 262,
      size: 38,
      colour: colours.accent,
    }),
    writeText(canvas, {
      x: columns.adhan,
      align: 'middle',
      text: texts.hall.adhan,
      y: TOP - 40,
      size: 32,
      colour: colours.soft,
    }),
    writeText(canvas, {
      x: columns.iqamah,
      align: 'end',
      text: texts.hall.iqamah,
      y: TOP - 40,
      size: 32,
      colour: colours.soft,
    }),
  ]
}

const prayerRow = (
  canvas: Canvas,
  { language, options }: DayPicture,
  [time, index]: readonly [PrayerTime, number],
): readonly Html[] => {
  const y = TOP + index * ROW
  const clock = (local: string | null): string => sheetClock(language, options, local)
  return [
    band(canvas, y - 10, ROW - 16),
    writeText(canvas, { x: columns.name, y: y + 55, size: 48, text: nameOf(textsFor(language), time), most: 440 }),
    writeText(canvas, {
      x: columns.adhan,
      y: y + 55,
      size: 44,
      align: 'middle',
      colour: colours.soft,
      text: clock(time.adhan_local),
    }),
    writeText(canvas, {
      x: columns.iqamah,
      y: y + 55,
      size: 52,
      align: 'end',
      bold: true,
      text: clock(time.iqamah_local),
    }),
  ]
}

const MOST_SPECIAL = 3

export const dayPicture = (parts: DayPicture): string => {
  const { day, language, options } = parts
  const canvas = { width: WIDTH, height: HEIGHT, language }
  const times = inOrder(day.times)
  const daily = times.filter(({ prayer }) => isDaily(prayer))
  const special = times.filter(({ prayer }) => !isDaily(prayer)).slice(0, MOST_SPECIAL)
  const bottom = TOP + daily.length * ROW + 60
  return drawing(canvas, textsFor(language).print.pictureOfDay, [
    ...headLines(canvas, parts),
    ...daily.flatMap((time, index) => prayerRow(canvas, parts, [time, index])),
    ...special.map((time, index) =>
      writeText(canvas, {
        x: WIDTH / 2,
        y: bottom + index * 70,
        size: 42,
        align: 'middle',
        bold: true,
        colour: colours.accent,
        text: sessionWords(language, options, time),
        most: WIDTH - 120,
      }),
    ),
  ])
}

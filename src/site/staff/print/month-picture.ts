// The days of a month → a picture of its table as SVG, in the shape of an A4 page.
import type { Language } from '../../../accounts/languages.ts'
import { dailyPrayers } from '../../../prayer/daily-prayers.ts'
import { band, type Canvas, colours, drawing, writeText } from '../../drawing/picture-parts.ts'
import { dateWords } from '../../hall/date-words.ts'
import type { Html } from '../../pieces/html.ts'
import { textsFor } from '../../texts/texts.ts'
import type { Sheet, SheetDay } from './read-sheet.ts'
import type { SheetOptions } from './sheet-options.ts'
import { monthWords } from './sheet-page.ts'
import { sessionWords, sheetClock, specialTimes, timeOf } from './sheet-words.ts'

const WIDTH = 1240
const HEIGHT = 1754
const TOP = 270
const ROW = 42
const FIRST_COLUMN = 330
const COLUMN = 190

export interface MonthPicture {
  readonly sheet: Sheet
  readonly language: Language
  readonly options: Pick<SheetOptions, 'clock' | 'month'>
}

const headLines = (canvas: Canvas, { sheet, language, options }: MonthPicture): readonly Html[] => {
  const texts = textsFor(language)
  const name = (language === 'ar' && sheet.masjid.nameArabic) || sheet.masjid.name
  const middle = { x: WIDTH / 2, align: 'middle', most: WIDTH - 120 } as const
  return [
    writeText(canvas, { ...middle, text: name, y: 90, size: 54, bold: true }),
    writeText(canvas, {
      ...middle,
      text: monthWords(language, sheet, options),
      y: 155,
      size: 40,
      colour: colours.accent,
    }),
    writeText(canvas, {
      ...middle,
      text: `${texts.hall.adhan} · ${texts.hall.iqamah}`,
      y: 195,
      size: 24,
      colour: colours.soft,
    }),
    ...dailyPrayers.map((prayer, index) =>
      writeText(canvas, {
        x: FIRST_COLUMN + index * COLUMN,
        y: TOP - 30,
        size: 28,
        align: 'middle',
        bold: true,
        text: texts.staff.prayers[prayer],
      }),
    ),
  ]
}

/** The iqamah, or the adhan in a softer colour where there is none. */
const dayRow = (
  canvas: Canvas,
  { language, options }: MonthPicture,
  [day, index]: readonly [SheetDay, number],
): readonly Html[] => {
  const y = TOP + index * ROW
  const friday = new Date(`${day.date}T00:00:00Z`).getUTCDay() === 5
  return [
    ...(friday ? [band(canvas, y - 4, ROW - 2)] : []),
    writeText(canvas, { x: 60, y: y + 28, size: 26, text: dateWords(language, day.date, 'short') }),
    ...dailyPrayers.flatMap((prayer, column) => {
      const time = timeOf(day, prayer)
      const at = { x: FIRST_COLUMN + column * COLUMN, y: y + 28, align: 'middle' } as const
      const adhan = sheetClock(language, options, time?.adhan_local ?? null)
      const iqamah = sheetClock(language, options, time?.iqamah_local ?? null)
      return [
        writeText(canvas, { ...at, x: at.x - 42, size: 24, colour: colours.soft, text: adhan }),
        writeText(canvas, { ...at, x: at.x + 42, size: 26, bold: true, text: iqamah }),
      ]
    }),
  ]
}

export const monthPicture = (parts: MonthPicture): string => {
  const { sheet, language, options } = parts
  const canvas = { width: WIDTH, height: HEIGHT, language }
  const lines = [...new Set(specialTimes(sheet.days).map(time => sessionWords(language, options, time)))].slice(0, 3)
  return drawing(canvas, textsFor(language).print.pictureOfMonth, [
    ...headLines(canvas, parts),
    ...sheet.days.slice(0, 31).flatMap((day, index) => dayRow(canvas, parts, [day, index])),
    ...lines.map((text, index) =>
      writeText(canvas, {
        x: WIDTH / 2,
        y: 1640 + index * 42,
        size: 30,
        align: 'middle',
        colour: colours.accent,
        text,
        most: WIDTH - 120,
      }),
    ),
  ])
}

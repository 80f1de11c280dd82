// The bytes of a file, whatever its name says → a sheet.
import { decodeText } from './decode-text.ts'
import { readCalendar } from './read-calendar.ts'
import { readCsv } from './read-csv.ts'
import { readXlsx } from './read-xlsx.ts'
import { type Sheet, SheetRefused } from './sheet.ts'

const startsWith = (bytes: Buffer, ...head: readonly number[]): boolean =>
  head.every((byte, index) => bytes[index] === byte)

/** PDF, images and programs are not text; a page of a website is not the sheet it shows. */
const isNoText = (bytes: Buffer, text: string): boolean =>
  startsWith(bytes, 0x25, 0x50, 0x44, 0x46) ||
  /\p{Cc}/u.test(text.slice(0, 2000).replace(/[\t\n\v\f\r]/g, '')) ||
  /^\s*<(!doctype|html)/i.test(text)

/** @throws SheetRefused */
export const readSheet = async (bytes: Buffer, timezone: string): Promise<Sheet> => {
  if (bytes.length === 0) throw new SheetRefused('empty')
  if (startsWith(bytes, 0x50, 0x4b)) return readXlsx(bytes)
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new SheetRefused('old_excel')
  const text = decodeText(bytes)
  if (isNoText(bytes, text)) throw new SheetRefused('not_a_sheet')
  return /^\s*BEGIN:VCALENDAR/i.test(text) ? readCalendar(text, timezone) : readCsv(text)
}

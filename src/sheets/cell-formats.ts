// The styles of a workbook → what a number in a cell of each style means: a date, a time, or just a number.
import { readXml } from './read-xml.ts'

export type CellFormat = 'date' | 'time' | 'date_time' | 'plain'

/** Formats that every workbook has without naming them (ECMA-376, part 1, section 18.8.30). */
const builtIn = (id: number): CellFormat => {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58)) return 'date'
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)) return 'time'
  return id === 22 ? 'date_time' : 'plain'
}

/** Quoted text, colours and locales do not count; an "m" beside hours is minutes. */
const ofCode = (code: string): CellFormat => {
  const bare = code.toLowerCase().replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|am\/pm|a\/p/g, '')
  const time = /h|s/.test(bare)
  const date = /d|y/.test(bare) || (!time && /m/.test(bare))
  if (date && time) return 'date_time'
  return date ? 'date' : time ? 'time' : 'plain'
}

export const readCellFormats = (styles: string | undefined): CellFormat[] => {
  const codes = new Map<number, CellFormat>()
  const formats: CellFormat[] = []
  let inCells = false
  if (styles !== undefined)
    readXml(styles, {
      open: (name, attributes) => {
        const id = Number(attributes.numFmtId)
        if (name === 'numFmt') codes.set(id, ofCode(attributes.formatCode ?? ''))
        if (name === 'cellXfs') inCells = true
        if (name === 'xf' && inCells) formats.push(codes.get(id) ?? builtIn(id))
      },
      close: name => {
        if (name === 'cellXfs') inCells = false
      },
    })
  return formats
}

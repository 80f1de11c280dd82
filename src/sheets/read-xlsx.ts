// A workbook (ECMA-376) → a sheet. Formulas are never evaluated: the result that was stored with them is read.
import { type CellFormat, readCellFormats } from './cell-formats.ts'
import { excelClock, excelDate, LAST_SERIAL } from './excel-numbers.ts'
import { readXml } from './read-xml.ts'
import { MOST_COLUMNS, MOST_ROWS, makeSheet, NO_RESULT, type Sheet, SheetRefused } from './sheet.ts'
import { unzip } from './unzip.ts'

interface Workbook {
  readonly strings: readonly string[]
  readonly formats: readonly CellFormat[]
  readonly since1904: boolean
}

interface NamedSheet {
  readonly name: string
  readonly path: string
}

const wanted = (name: string): boolean =>
  /^xl\/(workbook|styles|sharedStrings)\.xml$|^xl\/worksheets\/[^/]+\.xml$|^xl\/_rels\/workbook\.xml\.rels$/.test(name)

const readStrings = (xml: string | undefined): string[] => {
  const strings: string[] = []
  let inText = false
  let phonetic = false
  if (xml !== undefined)
    readXml(xml, {
      open: name => {
        if (name === 'si') strings.push('')
        if (name === 'rPh') phonetic = true
        inText = name === 't' && !phonetic
      },
      close: name => {
        if (name === 'rPh') phonetic = false
        inText = false
      },
      text: text => {
        if (inText) strings[strings.length - 1] += text
      },
    })
  return strings
}

const readRelations = (xml: string): Map<string, string> => {
  const targets = new Map<string, string>()
  readXml(xml, {
    open: (name, { Id, Target = '' }) => {
      if (name === 'Relationship' && Id !== undefined)
        targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  return targets
}

/** Those that people see, in their order. A workbook may name one sheet many times; it is read once. */
const readSheets = (
  xml: string,
  targets: ReadonlyMap<string, string>,
): { sheets: NamedSheet[]; since1904: boolean } => {
  const sheets = new Map<string, NamedSheet>()
  let since1904 = false
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'workbookPr') since1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      const path = targets.get(attributes['r:id'] ?? '')
      if (name === 'sheet' && path !== undefined && (attributes.state ?? 'visible') === 'visible')
        sheets.set(path, sheets.get(path) ?? { name: attributes.name ?? '', path })
    },
  })
  return { sheets: [...sheets.values()], since1904 }
}

/** `C7` → 2. */
const columnOf = (reference: string): number =>
  [...reference.replace(/\d/g, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** As many digits as Excel shows: 19.99 is stored as 19.989999999999998. */
const shownNumber = (number: number): string =>
  String(Number.isSafeInteger(number) ? number : Number(number.toPrecision(15)))

const numberText = (value: string, format: CellFormat, since1904: boolean): string => {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (format === 'plain' || number < 0 || number > LAST_SERIAL) return shownNumber(number)
  if (format === 'time' || number < 1) return excelClock(number)
  return format === 'date' ? excelDate(number, since1904) : `${excelDate(number, since1904)} ${excelClock(number)}`
}

interface OpenCell {
  column: number
  type: string
  format: CellFormat
  value: string
  formula: boolean
}

const cellText = ({ type, value, format, formula }: OpenCell, { strings, since1904 }: Workbook): string => {
  if (value === '') return formula ? NO_RESULT : ''
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'n') return numberText(value, format, since1904)
  if (type === 'e') return NO_RESULT
  return type === 'd' ? value.replace('T', ' ').replace(/:\d\d(\.\d+)?Z?$/, '') : value
}

const readRows = (xml: string, workbook: Workbook): string[][] => {
  const rows: string[][] = []
  let cell: OpenCell | undefined
  let inValue = false
  readXml(xml, {
    open: (name, { r = '', t = 'n', s = '' }) => {
      if (name === 'row') rows.push([])
      if (rows.length > MOST_ROWS) throw new SheetRefused('too_many_rows')
      if (name === 'c') {
        const column = r === '' ? (rows.at(-1)?.length ?? 0) : columnOf(r)
        cell = { column, type: t, format: workbook.formats[Number(s)] ?? 'plain', value: '', formula: false }
      }
      if (name === 'f' && cell !== undefined) cell.formula = true
      inValue = name === 'v' || name === 't'
    },
    close: name => {
      inValue = false
      const row = rows.at(-1)
      if (name !== 'c' || cell === undefined || row === undefined) return
      if (cell.column >= 0 && cell.column < MOST_COLUMNS) {
        while (row.length < cell.column) row.push('')
        row[cell.column] = cellText(cell, workbook)
      }
      cell = undefined
    },
    text: text => {
      if (inValue && cell !== undefined) cell.value += text
    },
  })
  return rows
}

/** Several sheets are read one after the other, each below its name: "January", "February". */
export const readXlsx = async (bytes: Buffer): Promise<Sheet> => {
  const files = await unzip(bytes, wanted)
  const [main, relations] = [files.get('xl/workbook.xml'), files.get('xl/_rels/workbook.xml.rels')]
  if (main === undefined || relations === undefined) throw new SheetRefused('not_a_sheet')
  const { sheets, since1904 } = readSheets(main, readRelations(relations))
  const strings = readStrings(files.get('xl/sharedStrings.xml'))
  const workbook: Workbook = { strings, formats: readCellFormats(files.get('xl/styles.xml')), since1904 }
  const filled = sheets
    .map(({ name, path }) => ({ name, rows: readRows(files.get(path) ?? '<none/>', workbook) }))
    .filter(({ rows }) => rows.some(row => row.some(cell => cell.trim() !== '')))
  const all = filled.flatMap(({ name, rows }) => (filled.length > 1 ? [[name], ...rows] : rows))
  return makeSheet(all, since1904)
}

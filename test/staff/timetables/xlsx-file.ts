// Cells → the bytes of a workbook, as Excel writes them, for tests: stored zip entries and the parts that a reader needs.
import { crc32 } from 'node:zlib'

/** A number with the style of a date or a time, a formula with its stored result, or text. */
type TestCell =
  | string
  | number
  | { readonly date: number }
  | { readonly time: number }
  | { readonly formula: string; readonly result?: string | number }

interface ZipEntry {
  readonly name: string
  readonly content: Buffer
  /** What the directory says, where it lies. */
  readonly claimed?: number
  readonly deflated?: Buffer
}

const entryHead = ({ name, content, claimed = content.length, deflated }: ZipEntry): Buffer => {
  const head = Buffer.alloc(26)
  head.writeUInt16LE(20, 0)
  head.writeUInt16LE(deflated === undefined ? 0 : 8, 4)
  head.writeUInt32LE(crc32(content), 10)
  head.writeUInt32LE((deflated ?? content).length, 14)
  head.writeUInt32LE(claimed, 18)
  head.writeUInt16LE(Buffer.byteLength(name), 22)
  return head
}

export const zipFile = (entries: readonly ZipEntry[]): Buffer => {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const head = entryHead(entry)
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04'),
      head,
      Buffer.from(entry.name),
      entry.deflated ?? entry.content,
    ])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, place, Buffer.from(entry.name)]))
    pieces.push(local)
    at += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, central, end])
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const columnName = (index: number): string => String.fromCharCode(65 + index)

const cellXml = (cell: TestCell, reference: string): string => {
  if (cell === '') return ''
  if (typeof cell === 'string') return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
  if ('date' in cell) return `<c r="${reference}" s="1"><v>${cell.date}</v></c>`
  if ('time' in cell) return `<c r="${reference}" s="2"><v>${cell.time}</v></c>`
  const value = cell.result === undefined ? '' : `<v>${escaped(String(cell.result))}</v>`
  return `<c r="${reference}"${typeof cell.result === 'string' ? ' t="str"' : ''}><f>${escaped(cell.formula)}</f>${value}</c>`
}

const sheetXml = (rows: readonly (readonly TestCell[])[]): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map(
      (row, index) =>
        `<row r="${index + 1}">${row.map((cell, column) => cellXml(cell, `${columnName(column)}${index + 1}`)).join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`

export interface TestWorkbook {
  readonly sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>
  readonly date1904?: boolean
}

export const workbookParts = ({ sheets, date1904 = false }: TestWorkbook): Map<string, string> => {
  const names = Object.keys(sheets)
  return new Map([
    [
      'xl/workbook.xml',
      `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${names
        .map((name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${names.map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
    ],
    [
      'xl/styles.xml',
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d\\-mmm\\-yy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="20"/></cellXfs></styleSheet>',
    ],
    ...names.map((name, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheets[name] ?? [])] as const),
  ])
}

export const xlsxFile = (workbook: TestWorkbook): Buffer =>
  zipFile([...workbookParts(workbook)].map(([name, text]) => ({ name, content: Buffer.from(text) })))

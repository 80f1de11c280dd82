// Text with commas, semicolons or tabs, from a file or pasted → a sheet.
import papaparse from 'papaparse'
import { MOST_ROWS, makeSheet, type Sheet } from './sheet.ts'

/** Excel writes the delimiter into a first line of its own. */
const announced = /^sep=(.)\r?\n/i

export const readCsv = (text: string): Sheet => {
  const [line = '', delimiter = ''] = announced.exec(text) ?? []
  const { data } = papaparse.parse<string[]>(text.slice(line.length), {
    delimiter,
    delimitersToGuess: ['\t', ';', ',', '|'],
    skipEmptyLines: 'greedy',
    preview: MOST_ROWS + 1,
  })
  return makeSheet(data)
}

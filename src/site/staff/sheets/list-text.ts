// A sheet → the text that a person would have pasted, so that a file and a pasted list take the same way from there on.
import papaparse from 'papaparse'
import { type Sheet, SheetRefused } from '../../../sheets/sheet.ts'

export const MOST_TEXT_BYTES = 1024 * 1024

/** The first line says what separates the cells: commas and semicolons inside them would mislead a guess. */
export const listText = ({ rows }: Sheet): string => {
  const text = `sep=,\r\n${papaparse.unparse(rows.map(row => [...row]))}`
  if (Buffer.byteLength(text) > MOST_TEXT_BYTES) throw new SheetRefused('too_large')
  return text
}

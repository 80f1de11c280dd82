// The field for a spreadsheet: a file is chosen, or dropped on it.
import type { View } from '../../frame/view.ts'
import { textField } from '../../pieces/form.ts'
import type { Html } from '../../pieces/html.ts'

export const SHEET_FIELD = 'sheet'

export interface SheetFieldParts {
  /** By default for a list; a timetable may be a calendar, too. */
  readonly hint?: string
  readonly accept?: string
  readonly fault?: string | undefined
}

const SPREADSHEETS = '.csv,.tsv,.txt,.xlsx,text/csv'

export const sheetField = ({ texts }: View, { hint, accept = SPREADSHEETS, fault }: SheetFieldParts): Html =>
  textField({
    name: SHEET_FIELD,
    label: texts.staff.sheets.file,
    hint: hint ?? texts.staff.sheets.fileHint,
    fault,
    optional: texts.common.optional,
    type: 'file',
    attributes: { accept },
  })

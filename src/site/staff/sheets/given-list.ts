// A form with a file and a text area → the list that was given, as text: the file's if there is one, else what was pasted.
import { withoutUnseen } from '../../../base/plain-text.ts'
import { type SheetReason, SheetRefused } from '../../../sheets/sheet.ts'
import type { StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { listText } from './list-text.ts'
import { fileOf } from './receive-files.ts'
import { SHEET_FIELD } from './sheet-field.ts'

export interface GivenList {
  readonly list: string
  /** Why the file cannot be read; the list is then what was pasted. */
  readonly refused?: SheetReason
}

export const givenList = async (
  { sheets }: StaffParts,
  { visit, masjid }: StaffVisit,
  field: string,
): Promise<GivenList> => {
  const pasted = withoutUnseen(visit.form.text(field))
  const file = fileOf(visit.request.body, SHEET_FIELD)
  if (file === undefined) return { list: pasted }
  try {
    return { list: listText(await sheets.of(masjid.id).file(file.bytes, masjid.timezone)) }
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error
    return { list: pasted, refused: error.reason }
  }
}

// A pasted list → its rows, or why it cannot be read.
import { type SheetReason, SheetRefused } from '../../../sheets/sheet.ts'
import type { StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'

export type PastedRows = { readonly rows: readonly (readonly string[])[] } | { readonly refused: SheetReason }

export const pastedRows = async ({ sheets }: StaffParts, { masjid }: StaffVisit, text: string): Promise<PastedRows> => {
  try {
    return await sheets.of(masjid.id).list(text)
  } catch (error) {
    if (error instanceof SheetRefused) return { refused: error.reason }
    throw error
  }
}

// Rows of a table → gifts, each checked like one that was typed; and which of them are already recorded.

import { withAllDecimals } from '../../../giving/money.ts'
import { findTable } from '../../../sheets/find-table.ts'
import { hasNoResult } from '../../../sheets/sheet.ts'
import type { PastedRows } from '../sheets/pasted-rows.ts'
import { enteredMethods, funds } from './gift.ts'
import { type Around, checkGift, emptyGift, type GiftFaults, type GiftForm, type GiftValues } from './read-gift.ts'

/** Headings by which a column is known, in small letters. */
const headings: Readonly<Record<string, readonly string[]>> = {
  day: ['date', 'day', 'value date', 'booking date', 'التاريخ', 'تاريخ', 'اليوم'],
  amount: ['amount', 'sum', 'credit', 'المبلغ', 'مبلغ'],
  currency: ['currency', 'العملة'],
  name: ['name', 'giver', 'donor', 'payer', 'الاسم', 'المتبرع'],
  email: ['email', 'e-mail', 'mail', 'البريد', 'البريد الإلكتروني'],
  fund: ['fund', 'purpose', 'الصندوق'],
  method: ['method', 'type', 'طريقة الدفع'],
  reference: ['reference', 'ref', 'transaction id', 'id', 'المرجع'],
}

type ColumnName = 'day' | 'amount' | 'currency' | 'name' | 'email' | 'fund' | 'method' | 'reference'

const columnsOf = (head: readonly string[]): ReadonlyMap<ColumnName, number> => {
  const found = new Map<ColumnName, number>()
  for (const [name, words] of Object.entries(headings)) {
    const at = head.findIndex(cell => words.includes(cell.toLowerCase().replaceAll(/\s+/g, ' ')))
    if (at >= 0) found.set(name as ColumnName, at)
  }
  return found
}

const isHeading = (columns: ReadonlyMap<ColumnName, number>): boolean => columns.has('day') && columns.has('amount')

/** `Zakat al-Fitr` → `zakat_al_fitr` */
const choiceOf = (text: string, choices: readonly string[], usual: string): string => {
  if (text === '') return usual
  const plain = text.toLowerCase().replaceAll(/[^a-z]+/g, '_')
  return choices.find(choice => choice === plain) ?? text
}

export interface ImportDefaults {
  readonly currency: string
  readonly method: string
}

const formOf = (
  row: readonly string[],
  columns: ReadonlyMap<ColumnName, number>,
  defaults: ImportDefaults,
  { timezone, now }: Around,
): GiftForm => {
  const cell = (name: ColumnName): string => row[columns.get(name) ?? -1] ?? ''
  const [name, email, currency] = [cell('name'), cell('email'), cell('currency') || defaults.currency]
  return {
    ...emptyGift(currency, timezone, now),
    amount: withAllDecimals(cell('amount').replace(/^\+/, ''), currency.toUpperCase()),
    day: cell('day').slice(0, 10),
    giver: name === '' && email === '' ? 'anonymous' : 'named',
    name,
    email,
    fund: choiceOf(cell('fund'), funds, 'general'),
    method: choiceOf(cell('method'), enteredMethods, defaults.method),
    reference: cell('reference'),
  }
}

export interface ImportRow {
  /** Its line in the table, counted from its first as 1. */
  readonly line: number
  readonly form: GiftForm
  readonly values?: GiftValues
  readonly faults?: GiftFaults
}

const checkRow = (form: GiftForm, around: Around): ReturnType<typeof checkGift> => {
  const empty = Object.entries(form).filter(([, text]) => hasNoResult(text))
  if (empty.length > 0) return { faults: Object.fromEntries(empty.map(([field]) => [field, 'noResult'])) }
  return checkGift(form, around)
}

export type ImportFault = 'empty' | 'headings' | 'tooMany'
export type ImportRead = { readonly rows: readonly ImportRow[] } | { readonly fault: ImportFault }

/** As many as one mutation writes. */
const MOST_GIFTS = 1000

export const readImport = (pasted: PastedRows, defaults: ImportDefaults, around: Around): ImportRead => {
  if ('refused' in pasted) return { fault: pasted.refused === 'empty' ? 'empty' : 'tooMany' }
  const { header, rows } = findTable(pasted.rows, row => isHeading(columnsOf(row)))
  const columns = columnsOf(header)
  if (!isHeading(columns)) return { fault: 'headings' }
  if (rows.length === 0) return { fault: 'empty' }
  if (rows.length > MOST_GIFTS) return { fault: 'tooMany' }
  return {
    rows: rows.map(({ line, cells }) => {
      const form = formOf(cells, columns, defaults, around)
      return { line, form, ...checkRow(form, around) }
    }),
  }
}

/** What makes two gifts the same, if they have no reference. */
export const signatureOf = (
  day: string,
  gift: Pick<GiftValues, 'amount_minor' | 'currency' | 'donor_name' | 'donor_email'>,
): string => [day, gift.amount_minor, gift.currency, gift.donor_email ?? gift.donor_name ?? ''].join('|')

export interface Recorded {
  readonly references: ReadonlySet<string>
  /** Of gifts without a reference. */
  readonly signatures: ReadonlySet<string>
}

export type ImportState = 'new' | 'known' | 'twice' | 'faulty'

/** A reference that is recorded, or came before in the table, is known; without one, a row like another gift is asked about. */
export const stateRows = (
  rows: readonly ImportRow[],
  recorded: Recorded,
): readonly (ImportRow & { readonly state: ImportState })[] => {
  const references = new Set(recorded.references)
  const signatures = new Set(recorded.signatures)
  return rows.map(row => {
    const { values, form } = row
    if (values === undefined) return { ...row, state: 'faulty' }
    if (values.reference !== null) {
      const state = references.has(values.reference) ? 'known' : 'new'
      references.add(values.reference)
      return { ...row, state }
    }
    const signature = signatureOf(form.day, values)
    const state = signatures.has(signature) ? 'twice' : 'new'
    signatures.add(signature)
    return { ...row, state }
  })
}

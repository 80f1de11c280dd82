// What can name the masjids whose rows are read.
import type { Column, Table } from '../../catalog/model.ts'
import type { Value } from '../plan/plan.ts'

/** The masjids that the rows of a list at the root of the answer show in one of their fields. */
export interface Shown {
  readonly kind: 'shown'
  readonly list: string
  readonly field: string
}

/** Of a table with a row for each masjid: those masjids whose rows have these values now, as only they can be in the list. */
export interface Admitted {
  readonly kind: 'admitted'
  readonly table: Table
  readonly key: Column
  readonly equal: readonly { readonly column: Column; readonly value: Value }[]
}

/** Undefined if rows of any masjid may be read. */
export type Masjids = readonly (Value | Shown | Admitted)[] | undefined

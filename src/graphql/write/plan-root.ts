// What planning a root field of a mutation goes along with, and the scopes that it needs.
import type { Table } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import type { CollectedField } from '../plan/collected-field.ts'
import { type Place, type PlanContext, refuse, useTable } from '../plan/context.ts'

export interface MutationField {
  readonly context: PlanContext
  readonly place: Place
  readonly field: CollectedField
  /** Writes are numbered through the operation. */
  readonly numbers: { next: number }
}

/** `operation` is what the scope is needed for, such as `insert_up_events`. */
export const needToWrite = ({ context, place }: MutationField, table: Table, operation: string): void => {
  context.functionScopes.set(operation, table.writing?.scopes ?? [])
  if (!context.places.has(operation)) context.places.set(operation, place)
}

/** Planning stops as soon as there are too many: they all take time here before the database sees any. */
export const countWrite = ({ context: { gathered }, place }: MutationField): void => {
  gathered.writes += 1
  if (gathered.writes > limits.writes)
    throw refuse(
      place,
      'too-many-rows',
      `An operation may insert, update and delete at most ${limits.writes} times, each object counted. Send several.`,
    )
}

export const needToRead = ({ context, place }: MutationField, table: Table): void =>
  void useTable(context, place, table.name)

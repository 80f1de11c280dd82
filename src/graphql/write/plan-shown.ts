// The selection of a mutation's root field → what is shown of the written rows: one row, or a count and a list of them.
import type { SelectionSetNode } from 'graphql'
import type { Table } from '../../catalog/model.ts'
import { collectFields } from '../plan/collect-fields.ts'
import { below } from '../plan/context.ts'
import type { From, Range } from '../plan/plan.ts'
import { withFields } from '../plan/plan-rows.ts'
import { type MutationField, needToRead } from './plan-root.ts'
import { keysSetting } from './settings.ts'
import type { ResponseField, Shown } from './write-plan.ts'

/** A type's name tells nothing about its rows: whoever may only write can ask for it. */
export const isRead = ({ context }: MutationField, table: Table, selections: readonly SelectionSetNode[]): boolean =>
  collectFields(context, selections, table.name).some(({ name }) => name !== '__typename')

const rangeOf = (from: From, limit: number): Range => ({
  from,
  where: undefined,
  order: [],
  distinctOn: [],
  limit,
  offset: undefined,
  after: undefined,
})

export const planShownRow = (root: MutationField, table: Table, number: number): Shown => {
  const { context, place, field } = root
  if (isRead(root, table, field.selections)) needToRead(root, table)
  const from: From = { kind: 'written', table, keys: keysSetting(number), single: true }
  return { kind: 'row', rows: withFields(context, place, rangeOf(from, 1), field.selections) }
}

/** `most` is how many rows there may be. */
export const planShownResponse = (root: MutationField, table: Table, number: number, most: number): Shown => {
  const { context, place, field } = root
  const from: From = { kind: 'written', table, keys: keysSetting(number), single: false }
  const fields = collectFields(context, field.selections).map((part): ResponseField => {
    const { key, name } = part
    if (name === '__typename') return { key, kind: 'typename', name: `${table.name}_mutation_response` }
    if (name === 'affected_rows') return { key, kind: 'affected' }
    needToRead(root, table)
    const rows = withFields(context, below(place, part, place.times), rangeOf(from, most), part.selections)
    return { key, kind: 'returning', rows }
  })
  return { kind: 'response', fields }
}

// The filter of a mutation → an error if a part of it is missing that was meant to narrow it. Most clients leave undefined values out
// of their variables: then a condition is gone without a trace, and every row would match.
import { Kind, type ValueNode } from 'graphql'
import type { ComputedField, ComputedRows, Table } from '../../catalog/model.ts'
import { type Place, refuse } from '../plan/context.ts'
import { type Input, inputFields, inputItems, readInput, type Variables } from '../plan/input.ts'
import type { MutationField } from './plan-root.ts'

const firstOf = <T>(items: readonly T[], of: (item: T) => string | undefined): string | undefined => {
  for (const item of items) {
    const found = of(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** The name of a variable in this value that has none. */
const absentVariable = (node: ValueNode, variables: Variables): string | undefined => {
  if (node.kind === Kind.VARIABLE) return readInput(node, variables) === undefined ? node.name.value : undefined
  const parts =
    node.kind === Kind.LIST ? node.values : node.kind === Kind.OBJECT ? node.fields.map(({ value }) => value) : []
  return firstOf(parts, part => absentVariable(part, variables))
}

/** What is compared with: beside the arguments of a function, if it takes any. */
const predicateOf = ({ arguments: all }: ComputedField | ComputedRows, value: Input): Input =>
  all.length === 0 ? value : (inputFields(value).find(([name]) => name === 'predicate')?.[1] ?? value)

/** The name of a condition that compares with nothing. An empty filter as a whole says that every row is meant. */
const emptyCondition = ({ context: { model } }: MutationField, table: Table, where: Input): string | undefined => {
  const find = (of: Table, input: Input): string | undefined =>
    firstOf(inputFields(input), ([name, value]) => findIn(of, name, value))
  const findIn = (of: Table, name: string, value: Input): string | undefined => {
    const hasNone = inputFields(value).length === 0
    if (of.columns.has(name)) return hasNone ? name : undefined
    if (name === '_not') return hasNone ? name : find(of, value)
    if (name === '_and' || name === '_or') {
      const items = inputItems(value)
      const isEmpty = items.length === 0 ? name === '_and' : items.some(item => inputFields(item).length === 0)
      return isEmpty ? name : firstOf(items, item => find(of, item))
    }
    const computed = of.computed.get(name) ?? of.computedRows.get(name)
    const predicate = computed === undefined ? value : predicateOf(computed, value)
    if (computed?.kind === 'computed') return inputFields(predicate).length === 0 ? name : undefined
    const target = model.tables.get((computed ?? of.relations.get(name))?.target ?? '')
    return target === undefined ? undefined : find(target, predicate)
  }
  return find(table, where)
}

/** @throws if a variable in the filter was not given, or a condition in it compares with nothing. */
export const refuseOpenFilter = (root: MutationField, table: Table, where: Input): void => {
  const absent = where.kind === 'node' ? absentVariable(where.node, where.variables) : undefined
  if (absent !== undefined)
    throw refuse(
      root.place,
      'validation-failed',
      `The variable "$${absent}" was not given, so its condition would match every row. Give it a value, or leave the condition out.`,
    )
  const empty = emptyCondition(root, table, where)
  if (empty !== undefined)
    throw refuse(
      root.place,
      'validation-failed',
      `"${empty}" is empty in a filter for writing, so it would match every row. Give it a condition, or leave it out.`,
    )
}

/** @throws if a version was to be compared, but none was given. */
export const refuseNoVersion = (place: Place): void => {
  if (place.node.arguments?.some(({ name }) => name.value === 'if_version'))
    throw refuse(place, 'validation-failed', 'if_version has no value. Give it one, or leave the argument out.')
}

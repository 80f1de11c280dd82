// `node(id:)` → the table that the id names, and the condition that a row is the one it names.
import type { Table } from '../../catalog/model.ts'
import { badIdMessage, readGlobalId } from '../global-id.ts'
import { type Place, type PlanContext, refuse, useTable } from './context.ts'
import { type Input, inputSource, knownInput } from './input.ts'
import type { Condition } from './plan.ts'
import { readArguments } from './read-arguments.ts'

export interface NodeRow {
  readonly table: Table
  readonly where: Condition
}

/** The shape of a variable holds the table's name; an id in the document is read here. */
const tableNameOf = (input: Input | undefined): string | undefined => {
  if (input === undefined) return undefined
  if (input.kind === 'shape') return String(knownInput(input))
  return 'value' in input.node ? readGlobalId(String(input.node.value))?.table : undefined
}

/** A table out of scope is planned like any other, so that it is refused like any other. @throws {GraphQLError} `bad-id` */
export const readNode = (context: PlanContext, place: Place): NodeRow => {
  const input = readArguments(context, place).get('id')
  const name = tableNameOf(input)
  const columns = name === undefined ? undefined : context.model.tables.get(name)?.primaryKey
  if (input === undefined || name === undefined || columns === undefined) throw refuse(place, 'bad-id', badIdMessage)
  const table = useTable(context, place, name)
  return { table, where: { kind: 'node', table, columns, id: inputSource(input) } }
}

// A validated mutation and the shape of its variables → what it writes. Pure: the same input gives the same plan.
import type { OperationDefinitionNode } from 'graphql'
import type { Table } from '../../catalog/model.ts'
import { collectFields } from '../plan/collect-fields.ts'
import { refuse, spend } from '../plan/context.ts'
import { type ContextInput, createContext, planOf } from '../plan/create-context.ts'
import { readGivenArguments } from '../plan/given-arguments.ts'
import { inputFields, inputItems, isNullInput } from '../plan/input.ts'
import type { From, RootField } from '../plan/plan.ts'
import { planByLimits } from '../plan/plan-operation.ts'
import { planList, planOne } from '../plan/plan-rows.ts'
import { type Arguments, readArguments } from '../plan/read-arguments.ts'
import type { MutationRoot } from './mutation-roots.ts'
import { planChanges } from './plan-changes.ts'
import { checkCount, planConflict, planInsertedRow } from './plan-insert.ts'
import { countWrite, type MutationField, needToRead, needToWrite } from './plan-root.ts'
import { isRead, planShownResponse, planShownRow } from './plan-shown.ts'
import { planKeyTarget, planWhereTarget } from './plan-target.ts'
import { rowsSetting } from './settings.ts'
import type { ErrorPath, Shown, Target, Write, WriteField, WritePlan } from './write-plan.ts'

const nextNumber = (root: MutationField): number => {
  const { numbers } = root
  countWrite(root)
  numbers.next += 1
  return numbers.next - 1
}

const planInsert = (root: MutationField, table: Table, one: boolean): Write => {
  const { context, place, field } = root
  needToWrite(root, table, `insert_${table.name}`)
  const given = readArguments(context, place)
  const conflict = planConflict(root, table, given.get('on_conflict'))
  const input = given.get(one ? 'object' : 'objects')
  const items = input === undefined ? [] : one ? [input] : inputItems(input)
  if (items.some(isNullInput)) throw refuse(place, 'validation-failed', 'Null cannot be inserted.')
  const pathOf = (index: number): ErrorPath => (one ? [field.key, 'object'] : [field.key, 'objects', index])
  const rows = items.map((item, index) =>
    planInsertedRow(root, { table, input: item, path: pathOf(index), conflict, filled: [] }),
  )
  checkCount(place, rows)
  const number = nextNumber(root)
  const shown = one ? planShownRow(root, table, number) : planShownResponse(root, table, number, rows.length)
  return { kind: 'insert', table, path: [field.key], number, rows, shown }
}

const planShown = (root: MutationField, table: Table, target: Target, number: number): Shown =>
  target.kind === 'key' ? planShownRow(root, table, number) : planShownResponse(root, table, number, target.most)

const planUpdate = (root: MutationField, table: Table, given: Arguments, path: ErrorPath): Write => {
  needToWrite(root, table, root.field.name)
  const changes = planChanges(root.place, table, given)
  const target = given.has('pk_columns') ? planKeyTarget(root, table, given) : planWhereTarget(root, table, given)
  const number = nextNumber(root)
  return { kind: 'update', table, path, number, target, changes, shown: planShown(root, table, target, number) }
}

/** Of one entry of `updates`, in which null counts as absent, as it does for arguments. */
const planUpdates = (root: MutationField, table: Table): Write[] => {
  const { context, place, field } = root
  needToWrite(root, table, field.name)
  const updates = readArguments(context, place).get('updates')
  return (updates === undefined ? [] : inputItems(updates)).map((input, index) => {
    const given = new Map(inputFields(input).filter(([, value]) => !isNullInput(value)))
    return planUpdate(root, table, given, [field.key, 'updates', index])
  })
}

const planDelete = (root: MutationField, table: Table, byKey: boolean): Write => {
  const { context, place, field } = root
  needToWrite(root, table, field.name)
  const given = readArguments(context, place)
  const target = byKey ? planKeyTarget(root, table, given) : planWhereTarget(root, table, given)
  const number = nextNumber(root)
  return { kind: 'delete', table, path: [field.key], number, target, shown: planShown(root, table, target, number) }
}

const planRestore = (root: MutationField, table: Table): Write => {
  const { context, place, field } = root
  needToWrite(root, table, field.name)
  const target = planKeyTarget(root, table, readArguments(context, place))
  const number = nextNumber(root)
  return { kind: 'restore', table, path: [field.key], number, target, shown: planShownRow(root, table, number) }
}

const planAction = (root: MutationField, { function: one, table }: MutationRoot & { kind: 'action' }): Write => {
  const { context, place, field } = root
  context.functionScopes.set(one.name, one.scopes)
  context.places.set(one.name, place)
  if (isRead(root, table, field.selections)) needToRead(root, table)
  spend(context, place, 1)
  const given = readGivenArguments(place, one.arguments, readArguments(context, place).get('args'))
  const number = nextNumber(root)
  const from: From = { kind: 'kept', table, rows: rowsSetting(number) }
  const shown: Shown = one.single
    ? { kind: 'row', rows: planOne(context, place, { from, where: undefined }, field) }
    : { kind: 'list', rows: planList(context, place, from, field) }
  return { kind: 'action', table, path: [field.key], number, function: one, arguments: given, shown }
}

const planWrite = (root: MutationField, one: MutationRoot): WriteField => {
  const { context, place, field } = root
  const { key } = field
  const { table } = one
  const write = (planned: Write): WriteField => ({ key, kind: 'write', write: planned })
  switch (one.kind) {
    case 'insert':
    case 'insert-one':
      return write(planInsert(root, table, one.kind === 'insert-one'))
    case 'update':
    case 'update-key':
      return write(planUpdate(root, table, readArguments(context, place), [key]))
    case 'update-many':
      return { key, kind: 'many', writes: planUpdates(root, table) }
    case 'delete':
    case 'delete-key':
      return write(planDelete(root, table, one.kind === 'delete-key'))
    case 'restore':
      return write(planRestore(root, table))
    case 'action':
      return write(planAction(root, one))
  }
}

/** For the log of reads, `returning` is like the nodes of an aggregate. */
const readOf = (key: string, { shown }: Write): RootField => {
  if (shown.kind === 'row') return { key, kind: 'one', rows: shown.rows }
  if (shown.kind === 'list') return { key, kind: 'list', rows: shown.rows }
  const nodes = shown.fields.flatMap(part =>
    part.kind === 'returning' ? [{ key: part.key, kind: 'nodes' as const, rows: part.rows }] : [],
  )
  const [first] = nodes
  return first === undefined
    ? { key, kind: 'typename', name: key }
    : { key, kind: 'aggregate', aggregate: { range: first.rows, fields: nodes } }
}

const readsOf = (field: WriteField): RootField[] => {
  if (field.kind === 'typename') return []
  const [first] = field.kind === 'many' ? field.writes : [field.write]
  return first === undefined ? [] : [readOf(field.key, first)]
}

export interface MutationInput extends ContextInput {
  readonly operation: OperationDefinitionNode
  readonly roots: ReadonlyMap<string, MutationRoot>
}

const DRY_RUN = 'dry_run'

const planWith = ({ operation, roots, ...input }: MutationInput, estimates: boolean): WritePlan => {
  const context = createContext(input, estimates)
  const numbers = { next: 0 }
  const fields = collectFields(context, [operation.selectionSet]).map((field): WriteField => {
    const { key, name, node } = field
    const root = roots.get(name)
    if (root === undefined) return { key, kind: 'typename', name: 'mutation_root' }
    return planWrite({ context, place: { node, path: [key], times: 1 }, field, numbers }, root)
  })
  const dryRun = operation.directives?.some(({ name }) => name.value === DRY_RUN) === true
  return { plan: planOf(context, fields.flatMap(readsOf)), fields, dryRun }
}

export const planMutation = (input: MutationInput): WritePlan => planByLimits(estimates => planWith(input, estimates))

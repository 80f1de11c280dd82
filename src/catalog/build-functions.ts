// Raw functions → root fields (functions that return rows of a table) and computed fields (functions of a row).
import { type Comment, readComment, wordsOf } from './annotations.ts'
import { type BuiltArguments, buildArguments } from './build-arguments.ts'
import type { ComputedField, ComputedRows, TableFunction } from './model.ts'
import { isGraphqlName } from './names.ts'
import type { RawFunction } from './raw-catalog.ts'
import type { TypeLookup } from './value-type.ts'

/** The table whose rows have a given type. */
interface RowTable {
  readonly raw: { readonly oid: number }
  readonly name: string
  readonly scopes: readonly string[]
  readonly calculated: boolean
}

export type RowTypes = (oid: number) => RowTable | undefined

/** An exposed function, with its oid and its table's. */
export interface Built<T> {
  readonly oid: number
  readonly relation: number
  readonly shown: T
}

interface Context {
  readonly types: TypeLookup
  readonly rows: RowTypes
}

/** A built function, or why it cannot be exposed; undefined if it is unrelated to what is exposed. */
type Attempt<T> = Built<T> | string | undefined

const isBuilt = <T>(one: Attempt<T>): one is Built<T> => typeof one === 'object'

export const whyNotCalled = (raw: RawFunction, given: BuiltArguments): string | undefined => {
  if (!raw.onlyInputs) return 'it has arguments that are not inputs'
  return 'reason' in given ? given.reason : undefined
}

const whyNotCalculated = (raw: RawFunction, comment: Comment, table: RowTable): string | undefined => {
  if (comment.annotations.has('calculated') !== table.calculated)
    return 'it and what it returns rows of are not both "@calculated"'
  return table.calculated && !raw.returnsSet ? 'it is calculated, and returns no set' : undefined
}

/** Named after the function without its table's name, or as its comment says: `@computed name`. */
const computedName = (raw: RawFunction, comment: Comment, table: string): string | undefined => {
  const said = comment.annotations.get('computed')
  if (said !== undefined && said !== '') return said
  return raw.name.startsWith(`${table}_`) ? raw.name.slice(table.length + 1) : undefined
}

/** The first argument that is a row it is a field of. */
const findRow = (raw: RawFunction, comment: Comment, { rows }: Context) => {
  for (const [place, { type }] of raw.arguments.entries()) {
    const table = rows(type)
    const name = table && computedName(raw, comment, table.name)
    if (table !== undefined && name !== undefined) return { place, table, name }
  }
  return undefined
}

const buildTableFunction = (raw: RawFunction, comment: Comment, context: Context): Attempt<TableFunction> => {
  const table = context.rows(raw.returnType)
  if (table === undefined || context.rows(raw.arguments[0]?.type ?? 0) !== undefined) return undefined
  const built = buildArguments(raw, context.types)
  const reason = whyNotCalled(raw, built) ?? whyNotCalculated(raw, comment, table)
  if (reason !== undefined || 'reason' in built) return reason
  const shown: TableFunction = {
    name: comment.annotations.get('name') ?? raw.name,
    function: raw.name,
    table: table.name,
    single: !raw.returnsSet,
    calculated: comment.annotations.has('calculated'),
    arguments: built.arguments,
    scopes: [...new Set([...table.scopes, ...wordsOf(comment.annotations.get('scope'))])],
    description: comment.description,
  }
  return { oid: raw.oid, relation: table.raw.oid, shown }
}

const buildComputed = (raw: RawFunction, comment: Comment, context: Context): Attempt<ComputedField | ComputedRows> => {
  const found = findRow(raw, comment, context)
  if (found === undefined) return undefined
  const { table, name } = found
  const target = context.rows(raw.returnType)
  const type = context.types(raw.returnType)
  if (target === undefined && raw.returnsSet) return 'it returns a set of something else than rows of a shown table'
  if (target === undefined && type === undefined) return 'what it returns cannot be shown'
  const built = buildArguments(raw, context.types, found.place)
  const reason = whyNotCalled(raw, built)
  if (reason !== undefined || 'reason' in built || built.row === undefined) return reason
  const common = {
    name,
    function: raw.name,
    row: built.row,
    arguments: built.arguments,
    scopes: wordsOf(comment.annotations.get('scope')),
    definer: raw.definer,
    description: comment.description,
  }
  const shown: ComputedField | ComputedRows | undefined =
    target !== undefined
      ? { kind: 'computed-rows', ...common, target: target.name, single: !raw.returnsSet }
      : type && { kind: 'computed', ...common, type }
  return shown && { oid: raw.oid, relation: table.raw.oid, shown }
}

export interface BuiltFunctions {
  readonly functions: readonly Built<TableFunction>[]
  readonly computed: readonly Built<ComputedField | ComputedRows>[]
  readonly leftOut: readonly string[]
}

export const isOverloaded = (raw: RawFunction, all: readonly RawFunction[]): boolean =>
  all.some(other => other !== raw && other.name === raw.name)

/** Why it is left out although it concerns exposed tables. */
const whyNot = (
  raw: RawFunction,
  attempt: Attempt<{ name: string }>,
  all: readonly RawFunction[],
): string | undefined => {
  if (!isBuilt(attempt)) return attempt
  if (!isGraphqlName(attempt.shown.name)) return 'its name is no GraphQL name; give it one with a comment "@name …"'
  return isOverloaded(raw, all) ? 'there is another function of its name' : undefined
}

export const buildFunctions = (all: readonly RawFunction[], types: TypeLookup, rows: RowTypes): BuiltFunctions => {
  const functions: Built<TableFunction>[] = []
  const computed: Built<ComputedField | ComputedRows>[] = []
  const leftOut: string[] = []
  for (const raw of all) {
    const comment = readComment(raw.comment)
    if (comment.annotations.has('hidden') || comment.annotations.has('mutation')) continue
    const field = buildComputed(raw, comment, { types, rows })
    const root = field === undefined ? buildTableFunction(raw, comment, { types, rows }) : undefined
    const reason = whyNot(raw, field ?? root, all)
    if (reason !== undefined) leftOut.push(`function ${JSON.stringify(raw.name)}: ${reason}`)
    else if (isBuilt(field)) computed.push(field)
    else if (isBuilt(root)) functions.push(root)
  }
  return { functions, computed, leftOut }
}

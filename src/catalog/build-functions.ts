// Raw functions → root fields (functions that return rows of a table) and computed fields (functions of a row).
import { type Comment, readComment, wordsOf } from './annotations.ts'
import type { Argument, ComputedField, TableFunction } from './model.ts'
import { isGraphqlName } from './names.ts'
import type { RawArgument, RawFunction } from './raw-catalog.ts'
import type { TypeLookup, ValueType } from './value-type.ts'

/** What is known of the table whose rows have a type. */
interface RowTable {
  readonly raw: { readonly oid: number }
  readonly name: string
  readonly scopes: readonly string[]
}

export type RowTypes = (oid: number) => RowTable | undefined

/** What is shown of a function, with its own number and that of its table. */
export interface Built<T> {
  readonly oid: number
  readonly relation: number
  readonly shown: T
}

const inputFamilies = (type: ValueType): boolean => type.family !== 'composite'

/** Undefined when an argument has no usable name or type. */
const buildArguments = (raw: readonly RawArgument[], types: TypeLookup): Argument[] | undefined => {
  const built = raw.map(({ name, type, hasDefault }) => ({ name, type: types(type), hasDefault }))
  const fit = built.every(({ name, type }) => isGraphqlName(name) && type !== undefined && inputFamilies(type))
  return fit ? (built as Argument[]) : undefined
}

interface Context {
  readonly types: TypeLookup
  readonly rows: RowTypes
}

const buildTableFunction = (raw: RawFunction, comment: Comment, context: Context): Built<TableFunction> | undefined => {
  const table = raw.returnsSet ? context.rows(raw.returnType) : undefined
  if (table === undefined || context.rows(raw.arguments[0]?.type ?? 0) !== undefined) return undefined
  const built = buildArguments(raw.arguments, context.types)
  if (built === undefined || !raw.onlyInputs) return undefined
  const shown: TableFunction = {
    name: comment.annotations.get('name') ?? raw.name,
    function: raw.name,
    table: table.name,
    arguments: built,
    scopes: [...new Set([...table.scopes, ...wordsOf(comment.annotations.get('scope'))])],
    description: comment.description,
  }
  return { oid: raw.oid, relation: table.raw.oid, shown }
}

/** Shown when its comment says `@computed name`, or when it is called after its table: `up_masjids_full_address`. */
const computedName = (raw: RawFunction, comment: Comment, table: string): string | undefined => {
  const said = comment.annotations.get('computed')
  if (said !== undefined && said !== '') return said
  return raw.name.startsWith(`${table}_`) ? raw.name.slice(table.length + 1) : undefined
}

const buildComputed = (raw: RawFunction, comment: Comment, context: Context): Built<ComputedField> | undefined => {
  const [row, ...rest] = raw.arguments
  const table = row === undefined ? undefined : context.rows(row.type)
  if (table === undefined || raw.returnsSet || !raw.onlyInputs) return undefined
  const name = computedName(raw, comment, table.name)
  const type = context.types(raw.returnType)
  const built = buildArguments(rest, context.types)
  if (name === undefined || type === undefined || built === undefined) return undefined
  const shown: ComputedField = {
    kind: 'computed',
    name,
    function: raw.name,
    arguments: built,
    type,
    scopes: wordsOf(comment.annotations.get('scope')),
    description: comment.description,
  }
  return { oid: raw.oid, relation: table.raw.oid, shown }
}

export interface BuiltFunctions {
  readonly functions: readonly Built<TableFunction>[]
  readonly computed: readonly Built<ComputedField>[]
  readonly leftOut: readonly string[]
}

const isOverloaded = (raw: RawFunction, all: readonly RawFunction[]): boolean =>
  all.some(other => other !== raw && other.name === raw.name)

export const buildFunctions = (all: readonly RawFunction[], types: TypeLookup, rows: RowTypes): BuiltFunctions => {
  const functions: Built<TableFunction>[] = []
  const computed: Built<ComputedField>[] = []
  const leftOut: string[] = []
  for (const raw of all) {
    const comment = readComment(raw.comment)
    if (comment.annotations.has('hidden')) continue
    const root = buildTableFunction(raw, comment, { types, rows })
    const field = buildComputed(raw, comment, { types, rows })
    const fits = isGraphqlName((root ?? field)?.shown.name ?? 'fits') && !isOverloaded(raw, all)
    if (fits && root !== undefined) functions.push(root)
    else if (fits && field !== undefined) computed.push(field)
    else if (root !== undefined || field !== undefined || (raw.returnsSet && rows(raw.returnType) !== undefined))
      leftOut.push(`function ${JSON.stringify(raw.name)}: its names or types cannot be shown, or it is overloaded`)
  }
  return { functions, computed, leftOut }
}

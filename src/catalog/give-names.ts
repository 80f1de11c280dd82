// Drafts and functions → those that got their names, the oldest first; the rest get a log line.
import type { Draft } from './build-drafts.ts'
import type { Built, BuiltFunctions } from './build-functions.ts'
import { narrowWriting } from './build-writing.ts'
import { type Claimant, settleClaims } from './claim-names.ts'
import {
  actionClaimant,
  computedClaimant,
  functionClaimant,
  needsOf,
  primaryClaimant,
  tableClaimant,
  typeClaimants,
  uniqueClaimant,
  writingClaimant,
} from './claimants.ts'
import type { Column, ComputedField, ComputedRows, TableFunction } from './model.ts'
import type { RawType } from './raw-catalog.ts'
import type { TypeLookup, ValueType } from './value-type.ts'

export interface Named {
  readonly drafts: readonly Draft[]
  readonly functions: readonly Built<TableFunction>[]
  readonly actions: readonly Built<TableFunction>[]
  readonly computed: readonly Built<ComputedField | ComputedRows>[]
  readonly leftOut: readonly string[]
}

type Types = ReadonlyMap<string, Claimant>
type Won = (claimant: Claimant | undefined) => boolean

/** Everything callable, before names are assigned. */
type Callable = BuiltFunctions & { readonly actions: readonly Built<TableFunction>[] }

/** A draft with its claims: its own, those of its keys, and that of writing. */
interface Entry {
  readonly draft: Draft
  readonly table: Claimant
  readonly primary: Claimant | undefined
  readonly unique: readonly Claimant[]
  readonly writing: Claimant | undefined
}

const entryOf = (draft: Draft): Entry => {
  const table = tableClaimant(draft)
  return {
    draft,
    table,
    primary: primaryClaimant(draft, table),
    unique: draft.uniqueKeys.map(key => uniqueClaimant(draft, key, table)),
    writing: writingClaimant(draft, table),
  }
}

const claimantsOf = ({ table, primary, unique, writing }: Entry): Claimant[] =>
  [table, primary, ...unique, writing].filter(claimant => claimant !== undefined)

const usedTypes = (drafts: readonly Draft[], { functions, actions, computed }: Callable): ValueType[] => [
  ...drafts.flatMap(({ columns }) => [...columns.values()].map(({ type }) => type)),
  ...[...functions, ...actions, ...computed].flatMap(({ shown }) => shown.arguments.map(({ type }) => type)),
  ...computed.flatMap(({ shown }) => (shown.kind === 'computed' ? [shown.type] : [])),
]

/** Without a column, its rows could be neither sorted nor grouped, and GraphQL has no empty types. */
const hasComparable = ({ columns }: Draft): boolean => [...columns.values()].some(({ type }) => type.ordered)

const withoutComparable = (drafts: readonly Draft[]): string[] =>
  drafts
    .filter(draft => !hasComparable(draft))
    .map(({ relation }) => `table ${JSON.stringify(relation)}: it has no column whose values can be compared`)

const refusedColumns = ({ columns }: Draft, types: Types, won: Won): Column[] =>
  [...columns.values()].filter(({ type }) => !needsOf(type, types).every(won))

const refusedLines = ({ relation }: Draft, refused: readonly Column[]): string[] =>
  refused.map(({ column }) => `column ${JSON.stringify(`${relation}.${column}`)}: the name of its type is taken`)

/** The draft with only the columns and keys that got their names. */
const narrow = ({ draft, primary, unique, writing }: Entry, refused: readonly Column[], won: Won): Draft => {
  const keep = (column: Column): boolean => !refused.includes(column)
  const primaryKey = won(primary) && draft.primaryKey?.every(keep) === true ? draft.primaryKey : undefined
  const isWritable = primaryKey !== undefined && won(writing)
  return {
    ...draft,
    columns: new Map([...draft.columns].filter(([, column]) => keep(column))),
    primaryKey,
    writing: isWritable && draft.writing !== undefined ? narrowWriting(draft.writing, keep) : undefined,
    uniqueKeys: draft.uniqueKeys.filter(({ columns }, index) => won(unique[index]) && columns.every(keep)),
  }
}

/** Writing needs the primary key: without its name, the table is only read. */
const closedLines = ({ draft, writing }: Entry, { primaryKey }: Draft, won: Won): string[] =>
  won(writing) && primaryKey === undefined
    ? [`writing to ${JSON.stringify(draft.relation)}: its primary key is not shown`]
    : []

/** The claim of each function whose table has one. */
const functionClaims = (built: Callable, entries: readonly Entry[], types: Types): Map<unknown, Claimant> => {
  const byOid = new Map(entries.map(entry => [entry.draft.raw.oid, entry]))
  const claims = new Map<unknown, Claimant>()
  for (const one of built.functions) {
    const entry = byOid.get(one.relation)
    if (entry !== undefined) claims.set(one, functionClaimant(one, { table: entry.table, types }))
  }
  for (const one of built.actions) {
    const entry = byOid.get(one.relation)
    if (entry !== undefined) claims.set(one, actionClaimant(one, { table: entry.table, types }))
  }
  for (const one of built.computed) {
    const entry = byOid.get(one.relation)
    const { shown } = one
    const target =
      shown.kind === 'computed-rows' ? entries.find(({ draft }) => draft.name === shown.target)?.table : undefined
    if (entry !== undefined)
      claims.set(one, computedClaimant(one, entry.draft.name, { table: entry.table, types, target }))
  }
  return claims
}

/** The database's types, and their GraphQL counterparts. */
interface KnownTypes {
  readonly raw: readonly RawType[]
  readonly lookup: TypeLookup
}

export const giveNames = (all: readonly Draft[], built: Callable, { raw, lookup }: KnownTypes): Named => {
  const entries = all.filter(hasComparable).map(entryOf)
  const types = typeClaimants(raw, lookup, usedTypes(all, built))
  const functions = functionClaims(built, entries, types)
  const settled = settleClaims([...types.values(), ...entries.flatMap(claimantsOf), ...functions.values()])
  const won: Won = claimant => claimant !== undefined && settled.won.has(claimant)

  const winners = entries
    .filter(({ table }) => won(table))
    .map(entry => ({ entry, refused: refusedColumns(entry.draft, types, won) }))
  const narrowed = winners.map(({ entry, refused }) => ({ entry, draft: narrow(entry, refused, won) }))
  const drafts = narrowed.map(({ draft }) => draft)
  const shown = drafts.filter(hasComparable)
  const isShown = (one: Built<unknown>): boolean =>
    won(functions.get(one)) && shown.some(draft => draft.raw.oid === one.relation)
  return {
    drafts: shown,
    functions: built.functions.filter(isShown),
    actions: built.actions.filter(isShown),
    computed: built.computed.filter(
      one =>
        isShown(one) &&
        (one.shown.kind === 'computed' || shown.some(({ name }) => name === (one.shown as ComputedRows).target)),
    ),
    leftOut: [
      ...settled.leftOut,
      ...winners.flatMap(({ entry, refused }) => refusedLines(entry.draft, refused)),
      ...narrowed.flatMap(({ entry, draft }) => closedLines(entry, draft, won)),
      ...withoutComparable([...all, ...drafts]),
    ],
  }
}

// A table's annotations → how it may be written, or why it stays closed to writing.
import { readComment, wordsOf } from './annotations.ts'
import { conflictTargetsOf } from './conflict-targets.ts'
import type { Column, Table, Writing } from './model.ts'
import { isWriteScope, writeTwinOf } from './names.ts'
import type { RawColumn, RawRelation } from './raw-catalog.ts'

type Shown = Pick<Table, 'kind' | 'scopes' | 'columns' | 'primaryKey' | 'softDelete'>

interface Place {
  readonly raw: RawRelation
  readonly table: Shown
}

const OPERATIONS = ['insert', 'update', 'delete'] as const

const annotationsOf = ({ comment }: { readonly comment: string | null }): ReadonlyMap<string, string> =>
  readComment(comment).annotations

/** What `@write_scope` says; otherwise the `:write` twins of the scopes for reading. */
const scopesOf = ({ raw, table }: Place): readonly string[] => {
  const said = wordsOf(annotationsOf(raw).get('write_scope'))
  return said.length > 0 ? said : table.scopes.map(writeTwinOf)
}

const columnsOf = ({ raw, table }: Place, chosen: (column: RawColumn) => boolean): Column[] =>
  raw.columns
    .filter(chosen)
    .flatMap(({ name }) => [...table.columns.values()].find(({ column }) => column === name) ?? [])

const isVersion = (column: RawColumn): boolean => annotationsOf(column).has('version')

const whyNoVersion = (place: Place): string | undefined => {
  const marked = place.raw.columns.filter(isVersion)
  if (marked.length > 1) return 'more than one of its columns is marked @version'
  const [version] = columnsOf(place, isVersion)
  if (marked.length === 1 && version === undefined) return 'its column with @version is not shown'
  const isBigint = version === undefined || (version.type.family === 'bigint' && version.type.element === undefined)
  return isBigint ? undefined : `its column ${JSON.stringify(version.column)} is marked @version but is not a bigint`
}

const whyNoScope = (place: Place): string | undefined => {
  const scopes = scopesOf(place)
  const wrong = scopes.find(scope => !isWriteScope(scope))
  if (wrong !== undefined) return `${wrong} is no scope for writing; name one with a comment "@write_scope …"`
  return scopes.length === 0 ? 'it has no scope' : undefined
}

const whyNot = (place: Place): string | undefined => {
  const { raw, table } = place
  const unknown = wordsOf(annotationsOf(raw).get('writable')).filter(word => !OPERATIONS.some(one => one === word))
  if (unknown.length > 0) return `@writable takes insert, update and delete, not ${unknown.join(', ')}`
  if (table.kind === 'view') return 'it is a view'
  if (table.primaryKey === undefined) return 'it has no primary key whose columns are all shown'
  return whyNoVersion(place) ?? whyNoScope(place)
}

/** Lists of composites would need a cast for each. */
const isInput = ({ type }: Column): boolean => type.family !== 'composite' || type.element === undefined

/** What nobody sends: presets, what the database calculates, the version and the mark of deletion. */
const sendableColumns = (place: Place): Column[] =>
  columnsOf(place, column => {
    const isPreset = annotationsOf(column).has('preset') || column.generated || isVersion(column)
    return !isPreset && column.name !== place.table.softDelete
  }).filter(isInput)

const writingOf = (place: Place): Writing => {
  const { raw, table } = place
  const words = wordsOf(annotationsOf(raw).get('writable'))
  const sendable = sendableColumns(place)
  const may = (operation: string): boolean => words.length === 0 || words.includes(operation)
  const readable = new Set([...table.columns.values()].map(({ column }) => column))
  if (table.softDelete !== undefined) readable.add(table.softDelete)
  const insert = may('insert') && sendable.length > 0
  const update = may('update') && sendable.length > 0
  return {
    insert,
    update,
    delete: may('delete'),
    scopes: scopesOf(place),
    insertColumns: insert ? sendable : [],
    updateColumns: update ? sendable : [],
    version: columnsOf(place, isVersion)[0],
    conflictTargets: insert ? conflictTargetsOf(raw, readable) : new Map(),
  }
}

export interface BuiltWriting {
  readonly writing: Writing | undefined
  readonly leftOut: readonly string[]
}

export const buildWriting = (place: Place): BuiltWriting => {
  if (!annotationsOf(place.raw).has('writable')) return { writing: undefined, leftOut: [] }
  const reason = whyNot(place)
  if (reason === undefined) return { writing: writingOf(place), leftOut: [] }
  return { writing: undefined, leftOut: [`writing to ${JSON.stringify(place.raw.name)}: ${reason}`] }
}

/** The same for a table that has lost columns, because the names of their types were taken. */
export const narrowWriting = (writing: Writing, keep: (column: Column) => boolean): Writing => {
  const insertColumns = writing.insertColumns.filter(keep)
  const updateColumns = writing.updateColumns.filter(keep)
  return {
    ...writing,
    insert: insertColumns.length > 0,
    update: updateColumns.length > 0,
    insertColumns,
    updateColumns,
    version: writing.version !== undefined && keep(writing.version) ? writing.version : undefined,
  }
}

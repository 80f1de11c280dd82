// Catalogue and model → the grants that the reader role lacks or has in excess: it may select what is exposed, and no more.
import type { ReaderGroup } from '../db/roles.ts'
import { quoteIdentifier } from '../db/sql.ts'
import { type Grant, withLock } from './apply-grants.ts'
import type { Model, Table } from './model.ts'
import type { RawCatalog, RawRelation } from './raw-catalog.ts'
import { typeName, type ValueType } from './value-type.ts'

/** A function that takes or returns whole rows reads every column, even hidden ones, with its caller's rights. */
const needsWholeRows = (table: Table, model: Model): boolean =>
  table.computed.size > 0 ||
  table.computedRows.size > 0 ||
  [...model.functions.values()].some(one => one.table === table.name) ||
  [...model.tables.values()].some(({ computedRows }) =>
    [...computedRows.values()].some(one => one.target === table.name),
  )

const neededColumns = (table: Table): Set<string> =>
  new Set([
    ...[...table.columns.values()].map(({ column }) => column),
    ...[...table.relations.values()].flatMap(({ join }) => join.map(([own]) => own)),
    ...(table.softDelete === undefined ? [] : [table.softDelete]),
    ...(table.personal?.personColumns ?? []),
    ...(table.personal?.groups ?? []),
    ...table.ownRows.map(([column]) => column),
    ...(table.fullRows === undefined ? [] : [table.fullRows.column]),
  ])

/** Relations that are not exposed themselves, but hold exact values of exposed columns: only the key and the value. */
const exactValues = (model: Model): Map<string, { readonly table: string; readonly columns: Set<string> }> =>
  new Map(
    [...model.tables.values()].flatMap(table =>
      [...table.columns.values()].flatMap(({ exact }) =>
        exact === undefined
          ? []
          : [[exact.relation, { table: table.name, columns: new Set([exact.key, exact.value]) }] as const],
      ),
    ),
  )

const grantsFor = (raw: RawRelation, table: Table, model: Model, reader: ReaderGroup): string[] => {
  const needed = neededColumns(table)
  if (!needsWholeRows(table, model) && raw.columns.some(({ name }) => !needed.has(name)))
    return columnGrants(raw, needed, model, reader)
  const target = `${quoteIdentifier(table.schema)}.${quoteIdentifier(raw.name)}`
  return raw.readable ? [] : [withLock(raw, target, `grant select on ${target} to ${reader}`)]
}

const columnGrants = (
  raw: RawRelation,
  needed: ReadonlySet<string>,
  { schema }: Model,
  reader: ReaderGroup,
): string[] => {
  const target = `${quoteIdentifier(schema)}.${quoteIdentifier(raw.name)}`
  const exact = raw.columns.every(({ name, readable }) => readable === needed.has(name))
  const columns = [...needed].map(quoteIdentifier).join(', ')
  return exact
    ? []
    : [
        withLock(raw, target, `revoke select on ${target} from ${reader}`),
        withLock(raw, target, `grant select (${columns}) on ${target} to ${reader}`),
      ]
}

/** Usually everybody may execute functions; where that was revoked, the reader is granted it for exposed functions. */
const functionGrants = (catalog: RawCatalog, model: Model, reader: ReaderGroup): Grant[] => {
  const shown = new Map([
    ...[...model.functions.values()].map(one => [one.function, one.table] as const),
    ...[...model.tables.values()].flatMap(table =>
      [...table.computed.values(), ...table.computedRows.values()].map(field => [field.function, table.name] as const),
    ),
  ])
  return catalog.functions.flatMap(raw => {
    const table = shown.get(raw.name)
    return table === undefined || raw.executable
      ? []
      : [[table, `grant execute on function ${raw.signature} to ${reader}`] as const]
  })
}

/** The types that values are cast to: those of columns, computed fields and arguments. */
const castTypes = (table: Table, model: Model): ValueType[] => [
  ...[...table.columns.values()].map(({ type }) => type),
  ...[...table.computed.values()].map(({ type }) => type),
  ...[...table.computed.values(), ...table.computedRows.values()].flatMap(field =>
    field.arguments.map(({ type }) => type),
  ),
  ...[...model.functions.values()].flatMap(one =>
    one.table === table.name ? one.arguments.map(({ type }) => type) : [],
  ),
]

/** Casting to a type needs the right to use the type's schema. */
const typeSchemaGrants = (catalog: RawCatalog, model: Model, reader: ReaderGroup): Grant[] => {
  const closed = new Map(catalog.types.filter(({ readable }) => !readable).map(type => [typeName(type), type.schema]))
  return [...model.tables.values()].flatMap(table => {
    const schemas = new Set(castTypes(table, model).flatMap(({ sql }) => closed.get(sql) ?? []))
    return [...schemas].map(
      schema => [table.name, `grant usage on schema ${quoteIdentifier(schema)} to ${reader}`] as const,
    )
  })
}

const ownSchemaGrant = (catalog: RawCatalog, model: Model, reader: ReaderGroup): Grant[] =>
  catalog.readable ? [] : [['', `grant usage on schema ${quoteIdentifier(model.schema)}, extensions to ${reader}`]]

/** The statements that correct the reader's rights, by the GraphQL name of the table; '' for what is not exposed. */
export const missingGrants = (catalog: RawCatalog, model: Model, reader: ReaderGroup): readonly Grant[] => {
  const byRelation = new Map([...model.tables.values()].map(table => [table.relation, table]))
  const behind = exactValues(model)
  const tableGrants = catalog.relations.flatMap(raw => {
    const table = byRelation.get(raw.name)
    if (table !== undefined)
      return grantsFor(raw, table, model, reader).map(statement => [table.name, statement] as const)
    const values = behind.get(raw.name)
    if (values !== undefined)
      return columnGrants(raw, values.columns, model, reader).map(statement => [values.table, statement] as const)
    const readable = raw.readable || raw.columns.some(column => column.readable)
    const target = `${quoteIdentifier(model.schema)}.${quoteIdentifier(raw.name)}`
    return readable ? [['', withLock(raw, target, `revoke select on ${target} from ${reader}`)] as const] : []
  })
  return [
    ...ownSchemaGrant(catalog, model, reader),
    ...tableGrants,
    ...functionGrants(catalog, model, reader),
    ...typeSchemaGrants(catalog, model, reader),
  ]
}

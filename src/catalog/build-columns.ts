// A relation's raw columns → columns of the model; what cannot be exposed is left out, with a reason.
import { readComment } from './annotations.ts'
import type { Column, Deprecation } from './model.ts'
import { isGraphqlName } from './names.ts'
import type { RawColumn, RawRelation } from './raw-catalog.ts'
import type { TypeLookup } from './value-type.ts'

const readDeprecation = (text: string | undefined): Deprecation | undefined => {
  if (text === undefined) return undefined
  const dated = /^(\d{4}-\d\d-\d\d)\b\s*(.*)$/.exec(text)
  const reason = dated?.[2] ?? text
  return { since: dated?.[1], reason: reason === '' ? 'No longer supported.' : reason }
}

/** `@near date 1 3`: from 1 day before to 3 days after the column `date`. */
const readNear = (text: string | undefined): Pick<Column, 'near'> => {
  const [, date, before, after] = /^(\w+) (\d+) (\d+)$/.exec(text ?? '') ?? []
  return date === undefined ? {} : { near: { date, before: Number(before), after: Number(after) } }
}

const buildColumn = (raw: RawColumn, types: TypeLookup): Column | string | undefined => {
  const { annotations, description } = readComment(raw.comment)
  if (annotations.has('hidden')) return undefined
  const name = annotations.get('name') ?? raw.name
  if (!isGraphqlName(name)) return `its name is no GraphQL name; give it one with a comment "@name …"`
  const type = types(raw.type)
  if (type === undefined) return 'its type cannot be shown, or stands in a schema that the reader may not use'
  return {
    kind: 'column',
    name,
    column: raw.name,
    type: { ...type, patterns: raw.patterns, dimensions: Math.max(1, raw.dimensions) },
    notNull: raw.notNull,
    description,
    deprecation: readDeprecation(annotations.get('deprecated')),
    ...readNear(annotations.get('near')),
  }
}

export interface BuiltColumns {
  readonly columns: ReadonlyMap<string, Column>
  readonly leftOut: readonly string[]
}

/** Fields that every row has in addition to its columns. */
const ownFields = ['_cursor', '_and', '_or', '_not']

export const buildColumns = (relation: RawRelation, types: TypeLookup): BuiltColumns => {
  const columns = new Map<string, Column>()
  const leftOut: string[] = []
  for (const raw of relation.columns) {
    const built = buildColumn(raw, types)
    if (built === undefined) continue
    const reason =
      typeof built === 'string'
        ? built
        : columns.has(built.name) || ownFields.includes(built.name)
          ? 'its name is taken'
          : ''
    if (typeof built !== 'string' && reason === '') columns.set(built.name, built)
    else leftOut.push(`column ${JSON.stringify(`${relation.name}.${raw.name}`)}: ${reason}`)
  }
  return { columns, leftOut }
}

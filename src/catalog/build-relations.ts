// Foreign keys → relationships on both sides, named after their columns: `masjid_id` gives `masjid`, the other side `events`.
import { readComment, wordsOf } from './annotations.ts'
import type { Relation } from './model.ts'
import { isGraphqlName, withoutPrefix } from './names.ts'
import type { RawForeignKey, RawRelation } from './raw-catalog.ts'

/** A table before its relationships are known. */
export interface TableOutline {
  readonly raw: RawRelation
  readonly name: string
  /** Field names in use, and since when: a relationship yields to anything older. */
  readonly taken: ReadonlyMap<string, number>
  /** A referenced row may be missing: soft-deleted, or hidden by row-level security. */
  readonly mayHide: boolean
}

interface Link {
  readonly from: TableOutline
  readonly to: TableOutline
  readonly key: RawForeignKey
}

const keyLine = /^\(([^)]+)\)\s+references\s+"?([^"\s(]+)"?\s*\(([^)]+)\)((?:\s+(?:object|array)\s+\w+)*)$/

/** `object masjid array times` at the end of a line corresponds to a foreign key's own comment. */
const namesIn = (text: string): string =>
  [...text.matchAll(/(object|array)\s+(\w+)/g)].map(([, kind, name]) => `@${kind} ${name}`).join('\n')

type Declared = { readonly key: RawForeignKey } | { readonly leftOut: string }

const hasColumns = ({ raw }: TableOutline, names: readonly string[]): boolean =>
  names.every(name => raw.columns.some(column => column.name === name))

const readKeyLine = (text: string, outline: TableOutline, outlines: readonly TableOutline[]): Declared => {
  const refuse = (reason: string): Declared => ({
    leftOut: `relationship of ${JSON.stringify(outline.raw.name)}: its line "@foreign_key ${text}" ${reason}`,
  })
  const match = keyLine.exec(text)
  if (match === null) return refuse('is not of the form (a) references b (c) [object x] [array y]')
  const target = outlines.find(({ raw }) => raw.name === match[2])
  if (target === undefined) return refuse('names a table that is not shown')
  const columns = wordsOf(match[1])
  const targetColumns = wordsOf(match[3])
  if (columns.length !== targetColumns.length) return refuse('has not as many columns on both sides')
  if (!hasColumns(outline, columns) || !hasColumns(target, targetColumns))
    return refuse('names a column that is not there')
  // as old as its view
  const { oid } = outline.raw
  const comment = namesIn(match[4] ?? '')
  return { key: { oid, name: 'declared', comment, target: target.raw.oid, validated: false, columns, targetColumns } }
}

/** Views have no foreign keys; lines like `@foreign_key (masjid_id) references up_masjids (id)` declare them. */
const declaredKeys = (outline: TableOutline, outlines: readonly TableOutline[]): Declared[] =>
  (readComment(outline.raw.comment).repeated.get('foreign_key') ?? []).map(text => readKeyLine(text, outline, outlines))

const isHidden = (table: TableOutline, name: string): boolean =>
  table.raw.columns.some(column => column.name === name && readComment(column.comment).annotations.has('hidden'))

/** A relationship reveals the value of its columns, so a hidden column has none. */
const isShown = ({ from, to, key }: Link): boolean =>
  !key.columns.some(name => isHidden(from, name)) && !key.targetColumns.some(name => isHidden(to, name))

interface FoundLinks {
  readonly links: readonly Link[]
  readonly leftOut: readonly string[]
}

const hiddenLine = ({ from, key }: Link): string =>
  `relationship of ${JSON.stringify(from.raw.name)} over ${key.columns.join(', ')}: a column of it is hidden`

const linksOf = (outlines: readonly TableOutline[]): FoundLinks => {
  const byOid = new Map(outlines.map(outline => [outline.raw.oid, outline]))
  const links: Link[] = []
  const leftOut: string[] = []
  for (const from of outlines) {
    const declared = declaredKeys(from, outlines)
    const keys = [...from.raw.foreignKeys, ...declared.flatMap(one => ('key' in one ? [one.key] : []))]
    leftOut.push(...declared.flatMap(one => ('leftOut' in one ? [one.leftOut] : [])))
    for (const key of keys) {
      const to = byOid.get(key.target)
      if (to === undefined)
        leftOut.push(
          `relationship of ${JSON.stringify(from.raw.name)} over ${key.columns.join(', ')}: its other table is not shown`,
        )
      else if (isShown({ from, to, key })) links.push({ from, to, key })
      else leftOut.push(hiddenLine({ from, to, key }))
    }
  }
  return { links, leftOut }
}

const objectName = ({ to, key }: Link): string => {
  const [only] = key.columns
  if (key.columns.length > 1 || only === undefined) return withoutPrefix(to.name)
  return only.endsWith('_id') && only.length > 3 ? only.slice(0, -3) : `${only}_${withoutPrefix(to.name)}`
}

const isUnique = ({ from, key }: Link): boolean =>
  from.raw.uniqueKeys.some(unique => unique.columns.every(column => key.columns.includes(column)))

const isRequired = ({ from, to, key }: Link): boolean =>
  key.validated &&
  !to.mayHide &&
  key.columns.every(name => from.raw.columns.some(column => column.name === name && column.notNull))

const forwards = (link: Link): Relation => {
  const { annotations, description } = readComment(link.key.comment)
  return {
    kind: 'object',
    name: annotations.get('object') ?? objectName(link),
    target: link.to.name,
    join: link.key.columns.map((column, index) => [column, link.key.targetColumns[index] ?? ''] as const),
    keyIn: 'own',
    required: isRequired(link),
    description,
  }
}

const backwards = (link: Link): Relation => {
  const { annotations, description } = readComment(link.key.comment)
  return {
    kind: isUnique(link) ? 'object' : 'array',
    name: annotations.get('array') ?? withoutPrefix(link.from.name),
    target: link.from.name,
    join: link.key.columns.map((column, index) => [link.key.targetColumns[index] ?? '', column] as const),
    keyIn: 'target',
    required: false,
    description,
  }
}

export interface BuiltRelations {
  readonly relations: ReadonlyMap<string, ReadonlyMap<string, Relation>>
  readonly leftOut: readonly string[]
}

const fieldsOf = (relation: Relation): string[] =>
  relation.kind === 'array' ? [relation.name, `${relation.name}_aggregate`] : [relation.name]

type Taken = ReadonlyMap<string, number>

const isFree = (relation: Relation, taken: Taken, key: RawForeignKey): boolean =>
  isGraphqlName(relation.name) &&
  fieldsOf(relation).every(field => (taken.get(field) ?? Number.POSITIVE_INFINITY) > key.oid)

/** Two keys between the same tables claim one name: the younger is named after its columns. */
const freeName = (relation: Relation, taken: Taken, key: RawForeignKey): Relation | undefined =>
  [relation, { ...relation, name: `${relation.name}_by_${key.columns.join('_')}` }].find(candidate =>
    isFree(candidate, taken, key),
  )

/** One of a key's two relationships, with the table it is a field of. */
interface Side {
  readonly owner: string
  readonly wanted: Relation
  readonly key: RawForeignKey
}

const sidesOf = (links: readonly Link[]): Side[] => [
  ...links.map(link => ({ owner: link.from.name, wanted: forwards(link), key: link.key })),
  ...links.map(link => ({ owner: link.to.name, wanted: backwards(link), key: link.key })),
]

export const buildRelations = (outlines: readonly TableOutline[]): BuiltRelations => {
  const found = linksOf(outlines)
  const sides = sidesOf(found.links)
  const taken = new Map(outlines.map(outline => [outline.name, new Map(outline.taken)]))
  const given = new Map<Side, Relation>()
  const leftOut: string[] = [...found.leftOut]
  // By age. By name, or by position of a column, a new key could take the name of an existing one.
  // A restored dump creates the keys again in its own order: `@object` and `@array` fix a name regardless.
  for (const side of sides.toSorted((one, other) => one.key.oid - other.key.oid)) {
    const names = taken.get(side.owner) ?? new Map<string, number>()
    const relation = freeName(side.wanted, names, side.key)
    if (relation === undefined) leftOut.push(`relationship ${side.owner}.${side.wanted.name}: its name cannot be used`)
    else {
      given.set(side, relation)
      for (const field of fieldsOf(relation)) names.set(field, side.key.oid)
    }
  }
  const relations = new Map(outlines.map(({ name }) => [name, new Map<string, Relation>()]))
  for (const side of sides) {
    const relation = given.get(side)
    if (relation !== undefined) relations.get(side.owner)?.set(relation.name, relation)
  }
  return { relations, leftOut }
}

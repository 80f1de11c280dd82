// A relation's unique indexes → what `on_conflict` may name, and the SQL that leads PostgreSQL to each.
import { comparedColumns } from './build-rules.ts'
import type { ConflictTarget } from './model.ts'
import { isGraphqlName } from './names.ts'
import type { RawRelation, RawUniqueIndex } from './raw-catalog.ts'

const inferenceOf = ({ keys, predicate }: RawUniqueIndex): string =>
  `(${keys.join(', ')})${predicate === null ? '' : ` where ${predicate}`}`

const targetOf = (index: RawUniqueIndex): ConflictTarget => ({
  constraint: index.constraint ?? undefined,
  inference: index.constraint === null ? inferenceOf(index) : undefined,
  columns: comparedColumns(index),
})

/** PostgreSQL requires the right to select every column involved, so a hidden one excludes the index. */
const isUsable = (index: RawUniqueIndex, readable: ReadonlySet<string>): boolean =>
  index.arbiter && isGraphqlName(index.name) && [...index.columns, ...index.depends].every(name => readable.has(name))

/** `readable`: the database names of the columns that the reader may select. */
export const conflictTargetsOf = (
  { uniqueIndexes }: RawRelation,
  readable: ReadonlySet<string>,
): ReadonlyMap<string, ConflictTarget> =>
  new Map(uniqueIndexes.filter(index => isUsable(index, readable)).map(index => [index.name, targetOf(index)] as const))

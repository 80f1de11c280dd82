// A relation's raw constraints and unique indexes → rules by name, for errors in words that people understand.
import { readComment } from './annotations.ts'
import type { Rule } from './model.ts'
import type { RawRelation, RawUniqueIndex } from './raw-catalog.ts'

/** PostgreSQL quotes every name that is not a plain lower-case word. */
const namesIn = (expression: string): Set<string> =>
  new Set(
    (expression.match(/"(?:[^"]|"")+"|\w+/g) ?? []).map(word =>
      word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word,
    ),
  )

/** The columns that a unique index compares: not those that only its predicate mentions. */
export const comparedColumns = ({ keys, columns, depends }: RawUniqueIndex): string[] => {
  const names = namesIn(keys.join())
  return [...new Set([...columns, ...depends.filter(name => names.has(name))])]
}

const ruleOf = (kind: Rule['kind'], columns: readonly string[], comment: string | null): Rule => ({
  kind,
  columns,
  description: readComment(comment).description,
})

export const rulesOf = ({ uniqueIndexes, foreignKeys, checks }: RawRelation): ReadonlyMap<string, Rule> =>
  new Map([
    ...uniqueIndexes.map(index => [index.name, ruleOf('unique', comparedColumns(index), index.comment)] as const),
    ...checks.map(
      ({ name, exclusion, columns, comment }) =>
        [name, ruleOf(exclusion ? 'exclusion' : 'check', columns, comment)] as const,
    ),
    ...foreignKeys.map(({ name, columns, comment }) => [name, ruleOf('foreign-key', columns, comment)] as const),
  ])

// A relation's raw keys and `@key` annotation → the keys that a single row can be queried by.
import { readComment, wordsOf } from './annotations.ts'
import type { Column, Table, UniqueKey } from './model.ts'
import type { RawRelation } from './raw-catalog.ts'

type Columns = Table['columns']

const findColumns = (names: readonly string[], columns: Columns): Column[] | undefined => {
  const found = names.flatMap(name => [...columns.values()].find(({ column }) => column === name) ?? [])
  return found.length === names.length && names.length > 0 ? found : undefined
}

/** A key without an equality operator would match any row. */
const comparable = (found: readonly Column[] | undefined): boolean => found?.every(({ type }) => type.ordered) === true

/** A view has no key of its own: `@key masjid_id, date` declares one. */
const declaredKey = (raw: RawRelation): readonly string[] => wordsOf(readComment(raw.comment).annotations.get('key'))

const primaryNames = (raw: RawRelation): readonly string[] =>
  raw.uniqueKeys.find(({ primary }) => primary)?.columns ?? declaredKey(raw)

export const primaryKeyOf = (raw: RawRelation, columns: Columns): Column[] | undefined => {
  const found = findColumns(primaryNames(raw), columns)
  return comparable(found) ? found : undefined
}

/** For the log: why there is no key although one was intended. */
export const whyNoKey = (raw: RawRelation, columns: Columns): string | undefined => {
  const names = primaryNames(raw)
  const found = findColumns(names, columns)
  if (names.length === 0 || comparable(found)) return undefined
  return found === undefined ? 'not all its columns are shown' : 'it has a column whose values cannot be compared'
}

/** Two keys may claim one name, as (a_b) and (a, b) do: the older one gets it. */
export const uniqueKeysOf = (raw: RawRelation, columns: Columns): UniqueKey[] => {
  const keys = raw.uniqueKeys.flatMap(({ oid, primary, columns: names }) => {
    const found = primary ? undefined : findColumns(names, columns)
    if (found === undefined || !comparable(found)) return []
    return [{ oid, key: { name: found.map(({ name }) => name).join('_'), columns: found } }]
  })
  return keys
    .filter(({ oid, key }) => !keys.some(other => other.key.name === key.name && other.oid < oid))
    .map(({ key }) => key)
}

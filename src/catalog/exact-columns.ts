// Columns whose comment says `@exact relation key value` → the same columns with the location of their exact value.
import type { DataSchema } from '../db/data-schema.ts'
import { readComment, wordsOf } from './annotations.ts'
import type { Column, Exact } from './model.ts'
import type { RawRelation } from './raw-catalog.ts'

interface Place {
  readonly schema: DataSchema
  readonly raw: RawRelation
  readonly relations: readonly RawRelation[]
}

/** Without its own row-level security, the relation would reveal the exact value to everybody. */
const exactOf = ({ schema, raw, relations }: Place, words: readonly string[]): Exact | undefined => {
  const [relation, key, value] = words
  const target = relations.find(({ name }) => name === relation)
  const [rowKey, ...rest] = raw.uniqueKeys.find(({ primary }) => primary)?.columns ?? []
  const has = (name: string | undefined): boolean => target?.columns.some(column => column.name === name) === true
  if (relation === undefined || key === undefined || value === undefined || rowKey === undefined) return undefined
  if (rest.length > 0 || target?.rowSecurity !== true || !has(key) || !has(value)) return undefined
  return { schema, relation, key, value, rowKey }
}

export interface ExactColumns {
  readonly columns: ReadonlyMap<string, Column>
  readonly leftOut: readonly string[]
}

export const exactColumns = (place: Place, columns: ReadonlyMap<string, Column>): ExactColumns => {
  const leftOut: string[] = []
  const withExact = [...columns].map(([name, column]): [string, Column] => {
    const comment = place.raw.columns.find(one => one.name === column.column)?.comment ?? null
    const said = readComment(comment).annotations.get('exact')
    if (said === undefined) return [name, column]
    const exact = exactOf(place, wordsOf(said))
    if (exact !== undefined) return [name, { ...column, exact }]
    leftOut.push(
      `the exact value of ${JSON.stringify(`${place.raw.name}.${column.column}`)}: its comment names no column of a relation under row-level security`,
    )
    return [name, column]
  })
  return { columns: new Map(withExact), leftOut }
}

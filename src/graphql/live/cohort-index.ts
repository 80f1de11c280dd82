// Cohorts and what they watch → those that a change concerns.
import type { ReadSource } from '../../db/changes/epoch.ts'

export interface CohortIndex<T> {
  add(cohort: T, watched: readonly ReadSource[]): void
  delete(cohort: T, watched: readonly ReadSource[]): void
  /** `masjids` are those whose rows changed; null: of no masjid, or unknown. */
  concerned(table: string, masjids: readonly (string | null)[]): ReadonlySet<T>
}

/** No table or masjid has a line break in its name. */
const everyone = (table: string): string => table
const anyMasjid = (table: string): string => `${table}\n*`
const oneMasjid = (table: string, masjid: string): string => `${table}\n${masjid}`

const keysOf = ({ table, masjids }: ReadSource): string[] => [
  everyone(table),
  ...(masjids === undefined ? [anyMasjid(table)] : masjids.map(masjid => oneMasjid(table, masjid))),
]

export const createCohortIndex = <T>(): CohortIndex<T> => {
  const sets = new Map<string, Set<T>>()
  const none: ReadonlySet<T> = new Set()
  const find = (key: string): ReadonlySet<T> => sets.get(key) ?? none
  return {
    add: (cohort, watched) => {
      for (const key of watched.flatMap(keysOf)) sets.set(key, (sets.get(key) ?? new Set<T>()).add(cohort))
    },
    delete: (cohort, watched) => {
      for (const key of watched.flatMap(keysOf)) {
        const set = sets.get(key)
        set?.delete(cohort)
        if (set?.size === 0) sets.delete(key)
      }
    },
    concerned: (table, masjids) => {
      const named = masjids.filter(masjid => masjid !== null)
      if (named.length < masjids.length) return find(everyone(table))
      return new Set([...find(anyMasjid(table)), ...named.flatMap(masjid => [...find(oneMasjid(table, masjid))])])
    },
  }
}

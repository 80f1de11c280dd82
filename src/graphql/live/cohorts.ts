// Members → in cohorts, each by what it reads now; and a change → the cohorts that it concerns.
import type { Engine } from '../create-graphql.ts'
import { type Cohort, createCohort, type Member } from './cohort.ts'
import { createCohortIndex } from './cohort-index.ts'
import { prepareLive } from './live-operation.ts'

export interface Cohorts {
  readonly size: number
  all(): Cohort[]
  /** With what the member may read now, and the structure as it is now. @throws like `prepareLive` */
  join(member: Member): Cohort
  leave(member: Member): void
  concerned(table: string, masjids: readonly (string | null)[]): ReadonlySet<Cohort>
}

export const createCohorts = ({ structures }: Pick<Engine, 'structures'>): Cohorts => {
  const cohorts = new Map<string, Cohort>()
  const index = createCohortIndex<Cohort>()

  const leave = (member: Member): void => {
    const { cohort } = member
    if (cohort === undefined) return
    member.cohort = undefined
    cohort.members.delete(member)
    if (cohort.members.size > 0) return
    if (cohorts.get(cohort.key) === cohort) cohorts.delete(cohort.key)
    index.delete(cohort, cohort.operation.watched)
  }

  const join = (member: Member): Cohort => {
    const operation = prepareLive(structures.current(), member.request, member.session.grant)
    const isStream = operation.batchSize !== undefined
    if (member.cohort?.operation.key === operation.key) return member.cohort
    leave(member)
    // Two streams are rarely at the same place.
    const key = isStream ? member.id : operation.key
    const known = cohorts.get(key)
    const cohort = known ?? createCohort(key, operation)
    if (known === undefined) {
      cohorts.set(key, cohort)
      index.add(cohort, operation.watched)
    }
    cohort.members.add(member)
    member.cohort = cohort
    return cohort
  }

  return {
    get size() {
      return cohorts.size
    },
    all: () => [...cohorts.values()],
    join,
    leave,
    concerned: index.concerned,
  }
}

// The arguments of an update or a deletion → which rows it writes, and how many at most.
import { bigintType } from '../../catalog/aggregates.ts'
import type { Table } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import { type Place, refuse, spend } from '../plan/context.ts'
import { type Input, inputFields, inputSource, knownInput } from '../plan/input.ts'
import { keyPart } from '../plan/plan-operation.ts'
import { planWhere } from '../plan/plan-where.ts'
import type { Arguments } from '../plan/read-arguments.ts'
import { refuseNoVersion, refuseOpenFilter } from './open-filter.ts'
import { type MutationField, needToRead } from './plan-root.ts'
import type { Target } from './write-plan.ts'

const readMost = (place: Place, input: Input | undefined): number => {
  if (input === undefined) return limits.affected
  const most = Number(knownInput(input))
  if (most >= 1 && most <= limits.mostAffected) return most
  throw refuse(
    place,
    'validation-failed',
    `max_affected is ${most}; it may be from 1 to ${limits.mostAffected}. Write more rows in several requests.`,
  )
}

/** A filter shows by what it hits which values rows have, so it needs the scope for reading. */
export const planWhereTarget = (
  root: MutationField,
  table: Table,
  given: Arguments,
): Target & { readonly kind: 'where' } => {
  const { context, place } = root
  const most = readMost(place, given.get('max_affected'))
  const where = given.get('where')
  needToRead(root, table)
  if (where !== undefined) refuseOpenFilter(root, table, where)
  spend(context, place, most, `Lower \`max_affected\` at ${place.path.join('.')}, or write in several requests.`)
  return { kind: 'where', where: where === undefined ? undefined : planWhere(context, place, table, where), most }
}

/** The key is an argument of its own in updates; in deletions its columns are arguments. */
export const planKeyTarget = (
  root: MutationField,
  table: Table,
  given: Arguments,
): Target & { readonly kind: 'key' } => {
  const { context, place } = root
  const key = given.get('pk_columns')
  const parts: Arguments = key === undefined ? given : new Map(inputFields(key))
  const version = given.get('if_version')
  if (version === undefined) refuseNoVersion(place)
  spend(context, place, 1)
  return {
    kind: 'key',
    where: { kind: 'and', parts: (table.primaryKey ?? []).map(column => keyPart(parts, column)) },
    version: version === undefined ? undefined : { source: inputSource(version), type: bigintType },
  }
}

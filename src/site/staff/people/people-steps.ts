// Steps that routes of people and of households share.
import { notFound } from '../../../http/not-found.ts'
import { ask, read } from '../ask.ts'
import type { StaffVisit } from '../at-masjid.ts'
import { idIn } from '../form-steps.ts'
import type { StaffParts } from '../staff-parts.ts'
import { householdFilter } from './find-people.ts'
import { type Household, LIST_HOUSEHOLDS, ONE_HOUSEHOLD } from './household.ts'
import { type Member, ONE } from './person.ts'

/** The person in the URL. @throws {Fault} `not_found` if the masjid has no such member. */
export const findPerson = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Member> => {
  const variables = { masjid: masjid.id, id: idIn(visit) }
  const { people } = await read<{ people: Member[] }>(graphql, visit, { query: ONE, variables })
  const [member] = people
  if (member === undefined) throw notFound()
  return member
}

export const findHouseholdById = async (
  { graphql }: StaffParts,
  { visit, masjid }: StaffVisit,
  id: string,
): Promise<Household> => {
  const variables = { masjid: masjid.id, id }
  const { households } = await read<{ households: Household[] }>(graphql, visit, { query: ONE_HOUSEHOLD, variables })
  const [household] = households
  if (household === undefined) throw notFound()
  return household
}

interface WantedHouseholds {
  readonly words: string
  readonly skip?: number
}

export const findHouseholds = async (
  { graphql }: StaffParts,
  { visit, masjid }: StaffVisit,
  { words, skip = 0 }: WantedHouseholds,
): Promise<Household[]> => {
  const variables = { where: householdFilter(masjid.id, words), skip }
  const { households } = await read<{ households: Household[] }>(graphql, visit, { query: LIST_HOUSEHOLDS, variables })
  return households
}

/** What the database says against it, or nothing. @throws {Fault} `not_found` if there was nothing to write. */
export const refusalOfWriting = async (
  { graphql }: StaffParts,
  { visit }: StaffVisit,
  mutation: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
): Promise<string | undefined> => {
  const answered = await ask<{ written: unknown }>(graphql, visit, mutation)
  if ('refused' in answered) return answered.refused.message
  if (answered.data.written === null) throw notFound()
  return undefined
}

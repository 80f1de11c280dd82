// Small steps that the forms of staff pages share.
import { isUuid } from '../../base/uuid.ts'
import { notFound } from '../../http/not-found.ts'
import { parameterOf } from '../console/parts.ts'
import type { SignedInVisit } from '../frame/page-routes.ts'
import { ask } from './ask.ts'
import type { StaffVisit } from './at-masjid.ts'
import type { StaffParts } from './staff-parts.ts'

/** A form that comes back with what is wrong. */
export const REFUSED = { status: 422 }

/** The id in the URL. @throws {Fault} `not_found` if it is none. */
export const idIn = (visit: SignedInVisit): string => {
  const id = parameterOf(visit, 'id')
  if (!isUuid(id)) throw notFound()
  return id
}

const MOST_SKIPPED = 10_000

/** How many entries of a list are on earlier pages. */
export const skipOf = ({ query }: SignedInVisit): number =>
  Math.min(Math.max(Number.parseInt(query.text('skip'), 10) || 0, 0), MOST_SKIPPED)

/** A version that no row has, if what was sent is none. */
export const versionOf = (text: string): string => (/^\d{1,18}$/.test(text) ? text : '0')

/** What was just done, in words; and the id of what was deleted, for as long as it can be taken back. */
export const doneWords = (
  { query }: SignedInVisit,
  words: Readonly<Record<string, string>>,
): { readonly words: string | undefined; readonly deleted: string | undefined } => {
  const done = query.text('done')
  const id = query.text('id')
  return {
    words: Object.hasOwn(words, done) ? words[done] : undefined,
    deleted: done === 'deleted' && isUuid(id) ? id : undefined,
  }
}

export interface Mutation {
  /** Its only field has the alias `written`. */
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** For mutations without a form. @throws {Fault} `not_found` if nothing was written. */
export const writeAt = async ({ graphql }: StaffParts, { visit }: StaffVisit, mutation: Mutation): Promise<void> => {
  const answered = await ask<{ written: unknown }>(graphql, visit, mutation)
  if ('refused' in answered || answered.data.written === null) throw notFound()
}

/** A deleted row cannot be read: a trial tells whose it is. `written` has its `masjid_id`. */
export const restoreAt = async (parts: StaffParts, here: StaffVisit, mutation: Mutation): Promise<void> => {
  const trial = { ...mutation, dryRun: true }
  const tried = await ask<{ written: { masjid_id: string } | null }>(parts.graphql, here.visit, trial)
  if ('refused' in tried || tried.data.written?.masjid_id !== here.masjid.id) throw notFound()
  await writeAt(parts, here, mutation)
}

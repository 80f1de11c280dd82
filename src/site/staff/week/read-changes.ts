// The planned and the recent changes of a masjid.
import { isUuidInAnyCase } from '../../../base/uuid.ts'
import type { Engine } from '../../../graphql/create-graphql.ts'
import { type GivenTimes, readGivenTimes } from '../../../timetables/store/given-times.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import { read } from '../ask.ts'
import type { StaffParts } from '../staff-parts.ts'
import type { ChangeWords } from './rule-words.ts'

export interface StoredChange extends ChangeWords {
  readonly id: string
  readonly status: 'planned' | 'published' | 'cancelled' | 'failed' | 'undone'
  readonly publish_at: string
  readonly published_at: string | null
  readonly reason: string | null
}

export interface Changes {
  readonly today: string
  /** By which published timetables people pray, from today on. */
  readonly given: readonly GivenTimes[]
  readonly planned: readonly StoredChange[]
  readonly recent: readonly StoredChange[]
}

const fields = `id prayer session label first_on last_on ends_on rule fixed_time offset_minutes round_to status publish_at published_at reason`

const CHANGES = `query Changes($masjid: uuid!, $since: timestamptz!) {
  planned: pc_iqamah_changes(where: {masjid_id: {_eq: $masjid}, status: {_eq: planned}}, order_by: [{publish_at: asc}, {id: asc}]) { ${fields} }
  recent: pc_iqamah_changes(where: {masjid_id: {_eq: $masjid}, status: {_in: [published, failed, undone]}, updated_at: {_gte: $since}},
    order_by: [{updated_at: desc}, {id: asc}], limit: 20) { ${fields} }
}`

const ONE = `query Change($masjid: uuid!, $id: uuid!) {
  changes: pc_iqamah_changes(where: {masjid_id: {_eq: $masjid}, id: {_eq: $id}}) { ${fields} }
}`

const RECENT_MS = 30 * 86_400_000

export const readChanges = async (
  { graphql, database }: Pick<StaffParts, 'graphql' | 'database'>,
  visit: SignedInVisit,
  { masjid, today }: { readonly masjid: string; readonly today: string },
): Promise<Changes> => {
  const changes = await read<Pick<Changes, 'planned' | 'recent'>>(graphql, visit, {
    query: CHANGES,
    variables: { masjid, since: new Date(Date.now() - RECENT_MS).toISOString() },
  })
  return { ...changes, today, given: await readGivenTimes(database, masjid, today) }
}

/** Undefined if it is not a change of this masjid. */
export const findChange = async (
  graphql: Engine,
  visit: SignedInVisit,
  { masjid, id }: { readonly masjid: string; readonly id: string },
): Promise<StoredChange | undefined> => {
  if (!isUuidInAnyCase(id)) return undefined
  const { changes } = await read<{ changes: StoredChange[] }>(graphql, visit, { query: ONE, variables: { masjid, id } })
  return changes[0]
}

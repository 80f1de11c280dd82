// An event and its occurrences as the API has them, and the documents that read and write them.

import type { audiences, categories } from '../../../events/event-words.ts'

export const modes = ['in_person', 'online', 'hybrid'] as const
export const statuses = ['scheduled', 'postponed', 'cancelled'] as const
export const anchors = ['fajr', 'dhuhr', 'jumuah', 'asr', 'maghrib', 'isha', 'taraweeh'] as const

export type EventStatus = (typeof statuses)[number]
type Anchor = (typeof anchors)[number]

export interface MasjidEvent {
  readonly id: string
  readonly version: number
  readonly title: string
  readonly description: string
  readonly category: (typeof categories)[number]
  readonly audience: (typeof audiences)[number]
  readonly mode: (typeof modes)[number]
  readonly location: string | null
  readonly online_url: string | null
  readonly starts_local: string
  readonly duration_minutes: number
  readonly timezone: string
  readonly rrule: string | null
  /** Then there are no occurrences until the rule changes. */
  readonly has_rule_without_dates: boolean
  readonly exdates: readonly string[]
  readonly anchor_prayer: Anchor | null
  readonly anchor_offset: number | null
  readonly status: EventStatus
  readonly capacity: number | null
}

export interface Occurrence {
  readonly id: string
  readonly starts_at: string
  readonly ends_at: string
  readonly status: EventStatus
  readonly capacity: number | null
  readonly going_count: number
  readonly waitlisted_count: number
}

export type ListedOccurrence = Occurrence & {
  readonly event: Pick<MasjidEvent, 'id' | 'title' | 'location'>
}

export interface Reply {
  readonly id: string
  readonly status: 'going' | 'maybe' | 'declined' | 'waitlisted' | 'attended'
  readonly party_size: number
  readonly responded_at: string
  readonly guest_name: string | null
  /** Null beside a name: somebody with an account, who is no member here. */
  readonly guest_email: string | null
  /** Null for guests, and for members whom the reader may not see. */
  readonly member: { readonly given_name: string; readonly family_name: string | null } | null
}

const EVENT = `id version title description category audience mode location online_url starts_local duration_minutes timezone
  rrule exdates anchor_prayer anchor_offset status capacity has_rule_without_dates`
const OCCURRENCE = 'id starts_at ends_at status capacity going_count waitlisted_count'

export const LIST = `query Events($masjid: uuid!, $from: timestamptz!, $skip: Int!) {
  occurrences: up_event_occurrences(
    where: {masjid_id: {_eq: $masjid}, starts_at: {_gte: $from}}
    order_by: [{starts_at: asc}, {id: asc}], limit: 21, offset: $skip
  ) { ${OCCURRENCE} event { id title location } }
  events: up_events(where: {masjid_id: {_eq: $masjid}}, order_by: [{title: asc}, {id: asc}]) { ${EVENT} }
}`

export const ONE = `query Event($masjid: uuid!, $id: uuid!, $from: timestamptz!) {
  events: up_events(where: {masjid_id: {_eq: $masjid}, id: {_eq: $id}}) {
    ${EVENT}
    occurrences(where: {starts_at: {_gte: $from}}, order_by: [{starts_at: asc}], limit: 20) { ${OCCURRENCE} }
  }
}`

export const OCCURRENCE_BY_ID = `query Occurrence($masjid: uuid!, $id: uuid!) {
  occurrences: up_event_occurrences(where: {masjid_id: {_eq: $masjid}, id: {_eq: $id}}) {
    ${OCCURRENCE} event { id title location }
  }
}`

/** In the order of the waiting list. */
export const REPLIES = `query Replies($id: uuid!, $skip: Int!) {
  replies: up_event_rsvps(
    where: {occurrence_id: {_eq: $id}}, order_by: [{responded_at: asc}, {id: asc}], limit: 100, offset: $skip
  ) { id status party_size responded_at guest_name guest_email member { given_name family_name } }
}`

export const CREATE = `mutation Create($object: up_events_insert_input!) {
  written: insert_up_events_one(object: $object) { id }
}`

export const CHANGE = `mutation Change($id: uuid!, $set: up_events_set_input!, $version: bigint!) {
  written: update_up_events_by_pk(pk_columns: {id: $id}, _set: $set, if_version: $version) { id }
}`

export const DELETE = 'mutation Delete($id: uuid!) { written: delete_up_events_by_pk(id: $id) { id } }'

export const RESTORE = 'mutation Restore($id: uuid!) { written: restore_up_events_by_pk(id: $id) { id masjid_id } }'

export const SET_STATUS = `mutation SetStatus($id: uuid!, $status: up_event_status!) {
  written: update_up_event_occurrences_by_pk(pk_columns: {id: $id}, _set: {status: $status}) { id }
}`

// An announcement as the API has it, and the documents that read and write it.

export const announcementKinds = [
  'general',
  'prayer_change',
  'closure',
  'appeal',
  'volunteers',
  'lost_and_found',
] as const
export type AnnouncementKind = (typeof announcementKinds)[number] | 'janazah'

export const announcementPlaces = ['screen', 'page', 'apps'] as const
type AnnouncementPlace = (typeof announcementPlaces)[number]

export const janazahPrayers = ['fajr', 'dhuhr', 'jumuah', 'asr', 'maghrib', 'isha'] as const
type JanazahPrayer = (typeof janazahPrayers)[number]

export interface AnnouncementText {
  readonly title: string
  readonly body?: string
}

export interface Announcement {
  readonly id: string
  readonly version: number
  readonly kind: AnnouncementKind
  readonly texts: Readonly<Record<string, AnnouncementText>>
  readonly urgent: boolean
  readonly shown_on: readonly AnnouncementPlace[]
  readonly starts_at: string
  readonly ends_at: string | null
  readonly deceased_name: string | null
  readonly janazah_on: string | null
  readonly janazah_after: JanazahPrayer | null
  readonly janazah_time: string | null
  readonly janazah_place: string | null
  readonly burial_place: string | null
}

const FIELDS = `id version kind texts urgent shown_on starts_at ends_at
  deceased_name janazah_on janazah_after janazah_time janazah_place burial_place`

export const LIST = `query Announcements($masjid: uuid!, $now: timestamptz!, $skip: Int!) {
  current: up_announcements(
    where: {masjid_id: {_eq: $masjid}, starts_at: {_lte: $now}, _or: [{ends_at: {_is_null: true}}, {ends_at: {_gt: $now}}]}
    order_by: [{urgent: desc}, {starts_at: desc}, {id: asc}]
  ) { ${FIELDS} }
  coming: up_announcements(where: {masjid_id: {_eq: $masjid}, starts_at: {_gt: $now}}, order_by: [{starts_at: asc}, {id: asc}]) {
    ${FIELDS}
  }
  past: up_announcements(
    where: {masjid_id: {_eq: $masjid}, ends_at: {_lte: $now}}, order_by: [{ends_at: desc}, {id: asc}], limit: 21, offset: $skip
  ) { ${FIELDS} }
}`

export const ONE = `query Announcement($masjid: uuid!, $id: uuid!) {
  found: up_announcements(where: {masjid_id: {_eq: $masjid}, id: {_eq: $id}}) { ${FIELDS} }
  masjid: up_masjids_by_pk(id: $masjid) { languages }
}`

export const LANGUAGES = `query Languages($masjid: uuid!) {
  masjid: up_masjids_by_pk(id: $masjid) { languages }
}`

export const CREATE = `mutation Announce($object: up_announcements_insert_input!) {
  written: insert_up_announcements_one(object: $object) { id }
}`

export const CHANGE = `mutation Change($id: uuid!, $set: up_announcements_set_input!, $version: bigint!) {
  written: update_up_announcements_by_pk(pk_columns: {id: $id}, _set: $set, if_version: $version) { ${FIELDS} }
}`

/** Whatever else somebody changed meanwhile: it no longer shows. */
export const END = `mutation End($id: uuid!, $now: timestamptz!) {
  written: update_up_announcements_by_pk(pk_columns: {id: $id}, _set: {ends_at: $now}) { id }
}`

export const DELETE = `mutation Delete($id: uuid!) { written: delete_up_announcements_by_pk(id: $id) { id } }`

export const RESTORE = `mutation Restore($id: uuid!) { written: restore_up_announcements_by_pk(id: $id) { id masjid_id } }`

/** In the reader's language if there is one, then English, then any. */
export const textIn = (
  { texts }: Pick<Announcement, 'texts'>,
  language: string,
): readonly [string, AnnouncementText] => {
  const found = [language, 'en'].find(tag => texts[tag] !== undefined) ?? Object.keys(texts)[0] ?? language
  return [found, texts[found] ?? { title: '' }]
}

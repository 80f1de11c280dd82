// What everybody may know about a masjid, as the API has it, and the document that reads it.

import type { facilities } from '../../base/facilities.ts'
import type { Announcement } from '../staff/announcements/announcement.ts'
import type { MasjidEvent, Occurrence } from '../staff/events/event.ts'

type Facility = (typeof facilities)[number]

export type PublicAnnouncement = Omit<Announcement, 'version' | 'shown_on'>

export type PublicOccurrence = Pick<Occurrence, 'id' | 'starts_at' | 'ends_at' | 'status'> & {
  /** Null for an event that was deleted a moment ago. */
  readonly event: Pick<
    MasjidEvent,
    'id' | 'title' | 'description' | 'category' | 'mode' | 'location' | 'online_url' | 'status'
  > | null
}

/** The directory that a masjid was imported from. */
interface Origin {
  readonly source: string
  /** What the directory asks of those who show its data: a name, an address, words. */
  readonly licence: string
}

export interface PublicMasjid {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly name_ar: string | null
  readonly address: string
  readonly city: string
  readonly state: string | null
  readonly postal_code: string | null
  readonly country: string
  readonly latitude: number
  readonly longitude: number
  readonly timezone: string
  readonly languages: readonly string[]
  readonly facilities: readonly Facility[]
  readonly phone: string | null
  readonly email: string | null
  readonly website: string | null
  readonly verification: 'unverified' | 'pending' | 'verified' | 'disputed'
  /** Null for one that was registered here. */
  readonly origin: Origin | null
  readonly announcements: readonly PublicAnnouncement[]
  readonly occurrences: readonly PublicOccurrence[]
}

export const MASJID = `query Masjid($slug: String!, $now: timestamptz!, $until: timestamptz!) {
  masjid: up_masjids_by_slug(slug: $slug) {
    id slug name name_ar address city state postal_code country latitude longitude timezone languages facilities
    phone email website verification origin { source licence }
    announcements(
      where: {shown_on: {_contains: [page]}, starts_at: {_lte: $now}, _or: [{ends_at: {_is_null: true}}, {ends_at: {_gt: $now}}]}
      order_by: [{urgent: desc}, {starts_at: desc}, {id: asc}], limit: 20
    ) { id kind texts urgent starts_at ends_at deceased_name janazah_on janazah_after janazah_time janazah_place burial_place }
    occurrences(
      where: {ends_at: {_gt: $now}, starts_at: {_lt: $until}}, order_by: [{starts_at: asc}, {id: asc}], limit: 40
    ) { id starts_at ends_at status event { id title description category mode location online_url status } }
  }
}`

/** For the widget and the picture, which show times alone. */
export const MASJID_ALONE = `query MasjidAlone($slug: String!) {
  masjid: up_masjids_by_slug(slug: $slug) {
    id slug name name_ar address city state postal_code country latitude longitude timezone languages facilities
    phone email website verification
  }
}`

/** The masjid's name for a reader: the Arabic one on Arabic pages, if there is one. */
export const nameIn = (language: string, { name, name_ar }: Pick<PublicMasjid, 'name' | 'name_ar'>): string =>
  language === 'ar' && name_ar !== null ? name_ar : name

/** The name in the other script, if there is one. */
export const otherNameIn = (
  language: string,
  { name, name_ar }: Pick<PublicMasjid, 'name' | 'name_ar'>,
): string | null => (name_ar === null ? null : language === 'ar' ? name : name_ar)

export const addressLine = ({ address, city, state, postal_code }: PublicMasjid): string =>
  [address, city, [state, postal_code].filter(part => part !== null).join(' ')].filter(part => part !== '').join(', ')

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/
const LONGEST_SLUG = 80

/** Nothing else is ever looked up. */
export const isSlug = (text: string): boolean => text.length <= LONGEST_SLUG && slugPattern.test(text)

export const masjidPath = ({ slug }: Pick<PublicMasjid, 'slug'>, rest = ''): string => `/m/${slug}${rest}`

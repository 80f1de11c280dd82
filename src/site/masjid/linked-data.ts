// A masjid and its events → JSON-LD in the vocabulary of schema.org, for search engines.

import { type Html, rawHtml } from '../pieces/html.ts'
import { type HeldOccurrence, heldOccurrences, statusOf } from './news-sections.ts'
import { licenceAddress } from './origin-line.ts'
import { addressLine, masjidPath, otherNameIn, type PublicMasjid } from './public-masjid.ts'

const MOST_EVENTS = 12
const LONGEST_DESCRIPTION = 300

type Node = Readonly<Record<string, unknown>>

const addressNode = ({ address, city, state, postal_code, country }: PublicMasjid): Node => ({
  '@type': 'PostalAddress',
  streetAddress: address,
  addressLocality: city,
  ...(state === null ? {} : { addressRegion: state }),
  ...(postal_code === null ? {} : { postalCode: postal_code }),
  addressCountry: country,
})

const eventStatuses = {
  scheduled: 'https://schema.org/EventScheduled',
  postponed: 'https://schema.org/EventPostponed',
  cancelled: 'https://schema.org/EventCancelled',
} as const

const attendanceModes = {
  in_person: 'https://schema.org/OfflineEventAttendanceMode',
  online: 'https://schema.org/OnlineEventAttendanceMode',
  hybrid: 'https://schema.org/MixedEventAttendanceMode',
} as const

const locationsOf = (masjid: PublicMasjid, { event }: HeldOccurrence): readonly Node[] => [
  ...(event.mode === 'online'
    ? []
    : [{ '@type': 'Place', name: event.location ?? masjid.name, address: addressNode(masjid) }]),
  ...(event.online_url === null ? [] : [{ '@type': 'VirtualLocation', url: event.online_url }]),
]

const eventNode = (masjid: PublicMasjid, organiser: string, occurrence: HeldOccurrence): Node => ({
  '@type': 'Event',
  name: occurrence.event.title,
  ...(occurrence.event.description === ''
    ? {}
    : { description: occurrence.event.description.slice(0, LONGEST_DESCRIPTION) }),
  startDate: occurrence.starts_at,
  endDate: occurrence.ends_at,
  eventStatus: eventStatuses[statusOf(occurrence)],
  eventAttendanceMode: attendanceModes[occurrence.event.mode],
  location: locationsOf(masjid, occurrence),
  organizer: { '@id': organiser },
})

const masjidNode = (
  masjid: PublicMasjid,
  { id, url, image }: Readonly<Record<'id' | 'url' | 'image', string>>,
): Node => {
  const { name, latitude, longitude, phone, email, website } = masjid
  const alternate = otherNameIn('en', masjid)
  return {
    '@type': ['Mosque', 'PlaceOfWorship'],
    '@id': id,
    name,
    ...(alternate === null ? {} : { alternateName: alternate }),
    url,
    image,
    address: addressNode(masjid),
    geo: { '@type': 'GeoCoordinates', latitude, longitude },
    hasMap: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`,
    ...(phone === null ? {} : { telephone: phone }),
    ...(email === null ? {} : { email }),
    ...(website === null ? {} : { sameAs: [website] }),
    description: addressLine(masjid),
  }
}

/** A place has no licence in this vocabulary: the page about it does. */
const pageNode = ({ origin }: PublicMasjid, { id, url }: Readonly<Record<'id' | 'url', string>>): readonly Node[] =>
  origin === null
    ? []
    : [
        {
          '@type': 'WebPage',
          '@id': url,
          mainEntity: { '@id': id },
          isBasedOn: {
            '@type': 'Dataset',
            name: origin.source,
            license: licenceAddress(origin.licence) ?? origin.licence,
            creditText: origin.licence,
          },
        },
      ]

export const linkedData = (masjid: PublicMasjid, baseUrl: string): Node => {
  const url = `${baseUrl}${masjidPath(masjid)}`
  const id = `${url}#masjid`
  return {
    '@context': 'https://schema.org',
    '@graph': [
      masjidNode(masjid, { id, url, image: `${url}/og.png` }),
      ...heldOccurrences(masjid)
        .slice(0, MOST_EVENTS)
        .map(occurrence => eventNode(masjid, id, occurrence)),
      ...pageNode(masjid, { id, url }),
    ],
  }
}

/** A script of another type is data: it never runs. Escaped so that no text in it can end the element or open a comment. */
export const dataScript = (data: Node): Html =>
  rawHtml(
    `<script type="application/ld+json">${JSON.stringify(data).replaceAll(
      /[<>&\u2028\u2029]/g,
      letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )}</script>`,
  )

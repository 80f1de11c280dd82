// A day → the queries shown in the explorer's gallery, on the landing page and in the guides; a test runs each of them.
import { type ExampleName, type ExplorerTexts, en } from './texts.en.ts'

export interface ExampleQuery {
  readonly name: ExampleName
  readonly title: string
  /** What the response shows. */
  readonly summary: string
  readonly query: string
  readonly needsKey: boolean
}

const firstQuery = `{
  up_masjids(
    where: {city: {_eq: "Chicago"}}
    order_by: {name: asc}
    limit: 5
  ) {
    id
    name
    city
    state
    address
  }
}
`

const nearMe = `query NearMe($latitude: Float! = 41.88, $longitude: Float! = -87.63) {
  up_masjids_nearby(
    args: {latitude: $latitude, longitude: $longitude, radius_km: 25}
    limit: 10
  ) {
    name
    address
    city
    latitude
    longitude
    distance_km(args: {latitude: $latitude, longitude: $longitude})
    facilities
  }
}
`

const asPeopleType = `query AsPeopleType($latitude: Float! = 41.88, $longitude: Float! = -87.63) {
  up_masjids_search(
    args: {search: "larkspr mosque", latitude: $latitude, longitude: $longitude}
    limit: 10
  ) {
    name
    name_ar
    city
    country
    distance_km(args: {latitude: $latitude, longitude: $longitude})
  }
}
`

const todaysTimes = (today: string): string => `{
  pc_prayer_times(
    where: {date: {_eq: "${today}"}, masjid: {slug: {_eq: "larkspur-lane-masjid"}}}
    order_by: [{adhan_at: asc}, {session: asc}]
  ) {
    prayer
    session
    adhan_at
    iqamah_at
    masjid {
      name
      timezone
    }
  }
}
`

const eventsThisWeek = (from: string, until: string): string => `{
  up_event_occurrences(
    where: {starts_at: {_gte: "${from}", _lt: "${until}"}, status: {_eq: scheduled}}
    order_by: {starts_at: asc}
    limit: 20
  ) {
    starts_at
    ends_at
    going_count
    event {
      title
      category
      audience
    }
    masjid {
      name
      city
    }
  }
}
`

const donationsByFund = `{
  ua_donations_aggregate(group_by: [fund, currency]) {
    groups {
      keys {
        fund
        currency
      }
      aggregate {
        count
        sum {
          amount_minor
        }
      }
    }
  }
}
`

const tryEvent = (day: string): string => `mutation @dry_run {
  insert_up_events_one(
    object: {
      masjid_id: "f1c7da7a-5eed-866d-91e7-fa8c48229dd1"
      title: "Community iftar"
      starts_local: "${day}T18:00:00"
      timezone: "America/New_York"
    }
  ) {
    id
    title
    status
    masjid {
      name
    }
  }
}
`

const followAnnouncements = `subscription {
  up_announcements(order_by: {starts_at: desc}, limit: 3) {
    starts_at
    kind
    texts
    masjid {
      name
      city
    }
  }
}
`

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Reads invented people, so the sandbox needs a test key. */
const withKey: readonly ExampleName[] = ['donations-by-fund', 'try-an-event']

const queriesOf = (today: string): Readonly<Record<ExampleName, string>> => ({
  first: firstQuery,
  'near-me': nearMe,
  'as-people-type': asPeopleType,
  'todays-times': todaysTimes(today),
  'events-this-week': eventsThisWeek(`${today}T00:00:00Z`, `${addDays(today, 7)}T00:00:00Z`),
  'announcements-as-they-come': followAnnouncements,
  'donations-by-fund': donationsByFund,
  'try-an-event': tryEvent(addDays(today, 30)),
})

/** `today` is YYYY-MM-DD; the fixture data moves with it. */
export const exampleQueries = (today: string, words: ExplorerTexts['examples'] = en.examples): ExampleQuery[] =>
  (Object.entries(queriesOf(today)) as [ExampleName, string][]).map(([name, query]) => {
    const { title, summary, comment } = words[name]
    return { name, title, summary, query: `# ${comment}\n${query}`, needsKey: withKey.includes(name) }
  })

// A day → the queries shown in the explorer's gallery, on the landing page and in the guides; a test runs each of them.

export interface ExampleQuery {
  readonly name: string
  readonly title: string
  /** What the response shows. */
  readonly summary: string
  readonly query: string
  /** Reads invented people, so the sandbox needs a test key. */
  readonly needsKey: boolean
}

const firstQuery = `# Masjids of one city. Change it, and run again.
{
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

const nearMe = `# Masjids within 25 km of a place, nearest first. Put your own place here.
query NearMe($latitude: Float! = 41.88, $longitude: Float! = -87.63) {
  up_masjids_nearby(
    args: {latitude: $latitude, longitude: $longitude, radius_km: 25}
    limit: 10
  ) {
    name
    address
    city
    distance_km(args: {latitude: $latitude, longitude: $longitude})
    facilities
  }
}
`

const todaysTimes = (today: string): string => `# Adhan and iqamah of one masjid on one day, as full instants.
{
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

const eventsThisWeek = (from: string, until: string): string => `# What happens in the next seven days.
{
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

const donationsByFund = `# Zakat is restricted money: totals are always by fund and currency. This one needs a test key.
{
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

const tryEvent = (
  day: string,
): string => `# What announcing an event would do. Nothing is kept. This one needs a test key.
mutation @dry_run {
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

const followAnnouncements = `# The newest announcements, and again when one changes.
subscription {
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

/** `today` is YYYY-MM-DD; the fixture data moves with it. */
export const exampleQueries = (today: string): readonly ExampleQuery[] => [
  {
    name: 'first',
    title: 'First query',
    summary: 'Masjids of one city, with their addresses.',
    query: firstQuery,
    needsKey: false,
  },
  {
    name: 'near-me',
    title: 'Masjids near me',
    summary: 'Within 25 km of a place, nearest first, with the distance.',
    query: nearMe,
    needsKey: false,
  },
  {
    name: 'todays-times',
    title: 'Today’s times',
    summary: 'Adhan and iqamah of one masjid, as full instants.',
    query: todaysTimes(today),
    needsKey: false,
  },
  {
    name: 'events-this-week',
    title: 'Events this week',
    summary: 'Every occurrence of the next seven days, with its event and masjid.',
    query: eventsThisWeek(`${today}T00:00:00Z`, `${addDays(today, 7)}T00:00:00Z`),
    needsKey: false,
  },
  {
    name: 'announcements-as-they-come',
    title: 'Announcements as they come',
    summary: 'A subscription: the newest announcements, sent again whenever one changes.',
    query: followAnnouncements,
    needsKey: false,
  },
  {
    name: 'donations-by-fund',
    title: 'Donations by fund',
    summary: 'Totals of invented gifts, each fund apart.',
    query: donationsByFund,
    needsKey: true,
  },
  {
    name: 'try-an-event',
    title: 'Try announcing an event',
    summary: 'A mutation as a dry run: what it would write, without keeping it.',
    query: tryEvent(addDays(today, 30)),
    needsKey: true,
  },
]

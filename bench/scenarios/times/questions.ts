// The questions about times that apps ask, each in three dialects: Minaret's, PostGraphile's, and SQL as one would write it by hand.
import { announcingCities, masjidsOfCity } from '../../data/announce.ts'
import { cityName, type Sizes } from '../../data/tables.ts'
import { masjidId, type Question, type Variables } from '../questions.ts'
import * as statements from './statements.ts'

const DAYS = 30
const daysLater = (date: string, count: number): string =>
  new Date(Date.parse(date) + count * 86_400_000).toISOString().slice(0, 10)
const today = new Date().toISOString().slice(0, 10)
const days = Array.from({ length: DAYS }, (_, index) => daysLater(today, 1 + index))
const fridays = days.filter(date => new Date(date).getUTCDay() === 5)

/** Each masjid that announces times, on days of the coming month. */
const masjidDays = (sizes: Sizes): readonly Variables[] =>
  announcingCities(sizes)
    .flatMap(city => masjidsOfCity(sizes, city))
    .flatMap(number =>
      days.filter((_, index) => index % 3 === number % 3).map(date => ({ masjid: masjidId(number), date })),
    )

const monthsOf = (sizes: Sizes): readonly Variables[] =>
  masjidDays(sizes).map(({ masjid, date }) => ({
    masjid,
    from: date,
    middle: daysLater(String(date), DAYS / 2),
    to: daysLater(String(date), DAYS - 1),
  }))

const cityDays = (sizes: Sizes, dates: readonly string[]): readonly Variables[] =>
  announcingCities(sizes).flatMap(city => dates.map(date => ({ city: cityName(city), date })))

const plain = { filters: false, secured: false, pgbench: undefined }

const day = (sizes: Sizes): Question => ({
  ...plain,
  name: 'times.day',
  title: 'Times of a day of one masjid',
  query: `query Day($masjid: uuid!, $date: date!) {
    pc_prayer_times(where: {masjid_id: {_eq: $masjid}, date: {_eq: $date}}, order_by: {adhan_at: asc}) {
      prayer session label adhan_at iqamah_at
    }
  }`,
  variables: masjidDays(sizes),
  parameters: ['masjid', 'date'],
  statement: statements.day,
  postgraphile: `query Day($masjid: UUID!, $date: Date!) {
    allPcPrayerTimes(condition: {masjidId: $masjid, date: $date}, orderBy: [ADHAN_AT_ASC]) { nodes {
      prayer session label adhanAt iqamahAt
    } }
  }`,
})

/** A list has at most 100 rows, so a month is asked for in halves. */
const stretch = (dates: string): string =>
  `where: {masjid_id: {_eq: $masjid}, date: {${dates}}}, order_by: [{date: asc}, {adhan_at: asc}]`
const MONTH_FIELDS = 'date prayer session label adhan_at iqamah_at'

const month = (sizes: Sizes): Question => ({
  ...plain,
  name: 'times.month',
  title: `Times of ${DAYS} days of one masjid`,
  query: `query Month($masjid: uuid!, $from: date!, $middle: date!, $to: date!) {
    first: pc_prayer_times(${stretch('_gte: $from, _lt: $middle')}) { ${MONTH_FIELDS} }
    second: pc_prayer_times(${stretch('_gte: $middle, _lte: $to')}) { ${MONTH_FIELDS} }
  }`,
  variables: monthsOf(sizes),
  parameters: ['masjid', 'from', 'to'],
  statement: statements.month,
  filters: true,
  postgraphile: `query Month($masjid: UUID!, $from: Date!, $to: Date!) {
    allPcPrayerTimes(
      condition: {masjidId: $masjid}, filter: {date: {greaterThanOrEqualTo: $from, lessThanOrEqualTo: $to}},
      orderBy: [DATE_ASC, ADHAN_AT_ASC]
    ) { nodes { date prayer session label adhanAt iqamahAt } }
  }`,
})

const next = (sizes: Sizes): Question => ({
  ...plain,
  name: 'times.next',
  title: 'The next 100 times of one masjid from a day, by instant',
  query: `query Next($masjid: uuid!, $date: date!) {
    pc_prayer_times(where: {masjid_id: {_eq: $masjid}, date: {_gte: $date}}, order_by: {adhan_at: asc}, limit: 100) {
      prayer session adhan_at iqamah_at
    }
  }`,
  variables: masjidDays(sizes),
  parameters: ['masjid', 'date'],
  statement: statements.next,
  filters: true,
  postgraphile: `query Next($masjid: UUID!, $date: Date!) {
    allPcPrayerTimes(
      condition: {masjidId: $masjid}, filter: {date: {greaterThanOrEqualTo: $date}}, orderBy: [ADHAN_AT_ASC], first: 100
    ) { nodes { prayer session adhanAt iqamahAt } }
  }`,
})

const list = (sizes: Sizes): Question => ({
  ...plain,
  name: 'times.list',
  title: '25 masjids with the times of a day',
  query: `query List($city: String!, $date: date!) {
    up_masjids(where: {city: {_eq: $city}}, order_by: {name: asc}, limit: 25) {
      id name city
      prayer_times(where: {date: {_eq: $date}}, order_by: {adhan_at: asc}) { prayer session adhan_at iqamah_at }
    }
  }`,
  variables: cityDays(sizes, days),
  parameters: ['city', 'date'],
  statement: statements.list,
  postgraphile: `query List($city: String!, $date: Date!) {
    allUpMasjids(condition: {city: $city}, orderBy: [NAME_ASC], first: 25) { nodes {
      rowId name city
      prayerTimes(condition: {date: $date}, orderBy: [ADHAN_AT_ASC]) { nodes { prayer session adhanAt iqamahAt } }
    } }
  }`,
})

const jumuah = (sizes: Sizes): Question => ({
  ...plain,
  name: 'times.jumuah',
  title: 'Jumu’ah of 25 masjids',
  query: `query Fridays($city: String!, $date: date!) {
    up_masjids(where: {city: {_eq: $city}}, order_by: {name: asc}, limit: 25) {
      id name city
      prayer_times(where: {date: {_eq: $date}, prayer: {_eq: jumuah}}, order_by: {session: asc}) { session label khutbah_at iqamah_at }
    }
  }`,
  variables: cityDays(sizes, fridays),
  parameters: ['city', 'date'],
  statement: statements.jumuah,
  postgraphile: `query Fridays($city: String!, $date: Date!) {
    allUpMasjids(condition: {city: $city}, orderBy: [NAME_ASC], first: 25) { nodes {
      rowId name city
      prayerTimes(condition: {date: $date, prayer: jumuah}, orderBy: [SESSION_ASC]) { nodes { session label khutbahAt iqamahAt } }
    } }
  }`,
})

export const timesQuestions = (sizes: Sizes): readonly Question[] =>
  [day, month, next, list, jumuah].map(make => make(sizes))

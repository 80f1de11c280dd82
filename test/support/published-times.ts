// Times that authorities published, typed by hand: whose they are, where they were read, and how far ours may be from them.
import type { MasjidParameters } from '../../src/prayer/calculation/masjid-parameters.ts'
import type { MethodName } from '../../src/prayer/calculation/methods.ts'

export interface PublishedTable {
  readonly city: string
  readonly authority: string
  /** Where the values were read. */
  readonly found: string
  readonly masjid: Partial<MasjidParameters> & Pick<MasjidParameters, 'timezone'>
  /** In minutes: one, as authorities and we round; more where the table is that of a region, a height or an older sun. */
  readonly apart: number
  /** A date, then Fajr, sunrise, Dhuhr, Asr, Maghrib and Isha on its clocks; `-` where the source has none. */
  readonly days: readonly string[]
}

const place = (
  calculation_method: MethodName,
  latitude: number,
  longitude: number,
  timezone: string,
): PublishedTable['masjid'] => ({ calculation_method, latitude, longitude, timezone })

const adhan = 'Shared/Times of the repository batoulapps/adhan-js, beside the link to its source'
const malaysia = 'the repository abualif120/malaysia-waktu-solat-dataset, taken from e-Solat on 2026-05-04'
const egypt = 'Egyptian news sites (radar2.net, sports-leb.com, elmogaz.com), each naming the authority'

const turkey: readonly PublishedTable[] = [
  {
    city: 'Ankara',
    authority: 'Diyanet',
    found: `${adhan} (Yeni Şafak)`,
    masjid: place('Turkey', 39.939382, 32.819713, 'Europe/Istanbul'),
    // One table for a city on hills from 850 metres: Isha in spring and autumn.
    apart: 2,
    days: [
      '2019-01-01 06:33 08:03 12:57 15:20 17:40 19:05',
      '2019-03-01 05:53 07:16 13:06 16:14 18:46 20:04',
      '2019-05-01 04:07 05:43 12:51 16:40 19:49 21:18',
      '2019-07-01 03:21 05:16 12:57 16:55 20:28 22:15',
      '2019-09-01 04:40 06:09 12:54 16:34 19:29 20:52',
      '2019-11-01 05:45 07:10 12:37 15:28 17:55 19:14',
    ],
  },
  {
    city: 'Istanbul',
    authority: 'Diyanet',
    found: 'its yearly table; for Ramadan 2019, 2025 and 2026 star.com.tr, hurriyet.com.tr and cloudtalktime.com',
    masjid: place('Turkey', 41.0082, 28.9784, 'Europe/Istanbul'),
    apart: 1,
    days: [
      '2019-05-09 04:03 - - - 20:15 21:51',
      '2025-03-01 06:07 07:32 13:21 16:28 19:01 20:20',
      '2025-03-10 05:53 07:17 13:19 16:35 19:12 20:31',
      '2026-03-15 05:45 - - - 19:17 -',
      '2027-01-01 06:50 08:22 13:12 15:32 17:53 19:19',
    ],
  },
]

const gulf: readonly PublishedTable[] = [
  {
    city: 'Makkah',
    authority: 'Umm al-Qura calendar',
    found: `${adhan} (ummulqura.org.sa)`,
    masjid: place('UmmAlQura', 21.427009, 39.828685, 'Asia/Riyadh'),
    apart: 1,
    days: [
      '2016-01-05 05:39 06:59 12:26 15:32 17:53 19:23',
      '2016-03-05 05:22 06:37 12:33 15:55 18:27 19:57',
      '2016-05-02 04:27 05:48 12:18 15:39 18:47 20:17',
      '2016-07-08 04:18 05:44 12:26 15:43 19:07 20:37',
      '2016-09-04 04:48 06:04 12:20 15:45 18:34 20:04',
      '2016-11-05 05:09 06:26 12:05 15:19 17:43 19:13',
    ],
  },
  {
    city: 'Dubai',
    authority: 'General Authority of Islamic Affairs and Endowments',
    found: `${adhan} (awqaf.gov.ae)`,
    masjid: place('Dubai', 25.263056, 55.297222, 'Asia/Dubai'),
    apart: 1,
    days: [
      '2018-01-01 05:42 07:01 12:25 15:24 17:44 19:03',
      '2018-04-01 04:53 06:08 12:25 15:54 18:38 19:53',
      '2018-07-01 04:02 05:29 12:25 15:48 19:16 20:43',
      '2018-10-01 04:54 06:08 12:11 15:35 18:09 19:23',
      '2018-12-01 05:25 06:43 12:11 15:11 17:32 18:50',
    ],
  },
  {
    city: 'Doha',
    authority: 'Ministry of Awqaf and Islamic Affairs of Qatar',
    found: `${adhan} (islam.gov.qa); the first day of months, the same every year`,
    masjid: place('Qatar', 25.283897, 51.52877, 'Asia/Qatar'),
    // A table for every year: the sun is up to a minute elsewhere in a single one.
    apart: 2,
    days: [
      '2016-01-01 04:58 06:19 11:37 14:35 16:56 18:26',
      '2016-04-01 04:09 05:26 11:38 15:06 17:51 19:21',
      '2016-07-01 03:18 04:47 11:38 15:01 18:29 19:59',
      '2016-10-01 04:10 05:26 11:24 14:48 17:22 18:52',
      '2016-12-01 04:41 06:02 11:23 14:23 16:44 18:14',
    ],
  },
]

const africa: readonly PublishedTable[] = [
  {
    city: 'Cairo',
    authority: 'Egyptian General Survey Authority',
    found: egypt,
    masjid: place('Egyptian', 30.0444, 31.2357, 'Africa/Cairo'),
    apart: 1,
    days: [
      '2025-03-21 04:31 05:57 12:02 15:30 18:07 19:25',
      '2025-06-20 04:08 05:54 12:57 16:32 19:59 21:33',
      '2025-08-10 04:44 06:19 13:00 16:37 19:41 21:05',
      '2025-09-06 05:06 06:35 12:53 16:26 19:11 20:30',
      '2025-11-13 04:48 - 11:40 14:40 17:01 18:21',
    ],
  },
  {
    city: 'Alexandria',
    authority: 'Egyptian General Survey Authority',
    found: egypt,
    masjid: place('Egyptian', 31.2001, 29.9187, 'Africa/Cairo'),
    // The city is forty kilometres long, from east to west: two minutes of the sun.
    apart: 2,
    days: [
      '2025-03-21 04:35 06:03 12:07 15:35 18:12 19:31',
      '2025-06-20 04:08 05:56 13:02 16:40 20:07 21:43',
      '2025-08-10 04:46 06:23 13:05 16:44 19:48 21:14',
      '2025-09-06 05:09 06:39 12:58 16:32 19:17 20:37',
      '2025-11-13 04:53 - 11:45 14:42 17:04 18:25',
    ],
  },
  {
    city: 'Rabat',
    authority: 'Ministry of Habous',
    found: `${adhan} (habous.gov.ma)`,
    masjid: place('Morocco', 34.022405, -6.834543, 'Africa/Casablanca'),
    apart: 1,
    days: [
      '2020-01-01 06:58 08:30 13:36 16:11 18:33 19:53',
      '2020-03-21 06:00 07:26 13:39 17:03 19:44 20:59',
      '2020-06-21 04:24 06:13 13:34 17:15 20:46 22:20',
      '2020-09-23 05:47 07:14 13:25 16:46 19:26 20:41',
      '2020-12-21 06:54 08:26 13:31 16:04 18:26 19:47',
    ],
  },
  {
    city: 'Casablanca',
    authority: 'Ministry of Habous',
    found: `${adhan} (habous.gov.ma)`,
    masjid: place('Morocco', 33.5950627, -7.6187768, 'Africa/Casablanca'),
    apart: 1,
    days: [
      '2020-01-01 07:01 08:31 13:39 16:15 18:38 19:57',
      '2020-03-21 06:04 07:29 13:43 17:06 19:48 21:02',
      '2020-06-21 04:30 06:17 13:38 17:17 20:49 22:21',
      '2020-09-23 05:51 07:16 13:28 16:49 19:30 20:44',
      '2020-12-21 06:57 08:28 13:34 16:09 18:31 19:51',
    ],
  },
  {
    city: 'Marrakesh',
    authority: 'Ministry of Habous',
    found: `${adhan} (habous.gov.ma)`,
    masjid: place('Morocco', 31.6295, -7.9811, 'Africa/Casablanca'),
    // It lies 460 metres high: the sun rises two minutes earlier.
    apart: 2,
    days: [
      '2020-01-01 06:59 08:26 13:40 16:21 18:45 20:01',
      '2020-03-21 06:08 07:29 13:44 17:07 19:50 21:01',
      '2020-06-21 04:41 06:22 13:39 17:13 20:46 22:14',
      '2020-09-23 05:55 07:16 13:29 16:51 19:32 20:43',
      '2020-12-21 06:55 08:23 13:35 16:15 18:39 19:55',
    ],
  },
  {
    // Morocco's clocks are on UTC during Ramadan.
    city: 'Rabat, 1 Ramadan 1439',
    authority: 'Ministry of Habous',
    found: 'its table',
    masjid: place('Morocco', 33.9716, -6.8498, 'UTC'),
    apart: 1,
    days: ['2018-05-17 03:40 - - - 19:27 -'],
  },
  {
    city: 'Algiers',
    authority: 'Ministry of Religious Affairs of Algeria',
    found: 'its imsakia of Ramadan 1445',
    masjid: place('Algeria', 36.7538, 3.0588, 'Africa/Algiers'),
    apart: 1,
    days: ['2024-03-21 05:23 - - - 19:04 -', '2024-04-04 05:00 - - - 19:17 -'],
  },
]

const asia: readonly PublishedTable[] = [
  {
    city: 'Kuala Lumpur',
    authority: 'JAKIM, zone WLY01',
    found: `e-Solat; for 2026-03 to 2026-12 ${malaysia}`,
    masjid: place('Jakim', 3.139, 101.6869, 'Asia/Kuala_Lumpur'),
    // One table for a zone, with the latest of its places.
    apart: 2,
    days: [
      '2025-01-01 06:07 07:18 13:20 16:42 19:17 20:31',
      '2026-01-01 06:06 07:18 13:19 16:42 19:17 20:31',
      '2026-03-21 06:10 07:16 13:23 16:29 19:26 20:34',
      '2026-06-21 05:52 07:05 13:18 16:44 19:27 20:43',
      '2026-09-21 05:56 07:02 13:09 16:14 19:12 20:20',
      '2026-12-21 06:01 07:12 13:14 16:37 19:11 20:26',
    ],
  },
  {
    city: 'George Town',
    authority: 'JAKIM, zone PNG01',
    found: malaysia,
    masjid: place('Jakim', 5.4141, 100.3288, 'Asia/Kuala_Lumpur'),
    apart: 2,
    days: [
      '2026-01-21 06:22 07:32 13:32 16:54 19:27 20:40',
      '2026-03-21 06:15 07:21 13:28 16:36 19:30 20:39',
      '2026-06-21 05:53 07:06 13:23 16:49 19:35 20:51',
      '2026-09-21 06:00 07:07 13:14 16:21 19:16 20:25',
      '2026-12-21 06:09 07:20 13:19 16:41 19:12 20:27',
    ],
  },
  {
    city: 'Kota Kinabalu',
    authority: 'JAKIM, zone SBH07',
    found: malaysia,
    masjid: place('Jakim', 5.9804, 116.0735, 'Asia/Kuching'),
    apart: 2,
    days: [
      '2026-01-21 05:20 06:32 12:29 15:50 18:23 19:36',
      '2026-03-21 05:11 06:19 12:25 15:33 18:27 19:36',
      '2026-06-21 04:49 06:04 12:20 15:46 18:32 19:48',
      '2026-12-21 05:06 06:20 12:16 15:37 18:08 19:23',
    ],
  },
  {
    city: 'Singapore',
    authority: 'MUIS',
    found: `${adhan} (muis.gov.sg); for 2026 Singapore’s open data`,
    masjid: place('Singapore', 1.3521, 103.8198, 'Asia/Singapore'),
    apart: 1,
    days: [
      '2020-01-15 05:51 07:13 13:16 16:39 19:16 20:30',
      '2020-03-15 05:54 07:11 13:15 16:19 19:17 20:26',
      '2020-06-15 05:36 07:00 13:07 16:32 19:12 20:27',
      '2020-09-15 05:40 06:56 13:01 16:02 19:04 20:12',
      '2020-12-15 05:36 06:59 13:02 16:26 19:02 20:17',
      '2026-01-01 05:44 07:08 13:10 16:34 19:11 20:25',
    ],
  },
  {
    city: 'Jakarta',
    authority: 'Kemenag',
    found: 'the myQuran service',
    masjid: place('Kemenag', -6.2088, 106.8456, 'Asia/Jakarta'),
    apart: 1,
    days: ['2026-09-01 04:38 05:50 11:56 15:14 17:56 19:05'],
  },
  {
    city: 'Malang',
    authority: 'Kemenag',
    found: 'the myQuran service',
    masjid: place('Kemenag', -7.9797, 112.6304, 'Asia/Jakarta'),
    apart: 1,
    days: ['2025-07-16 04:24 05:41 11:39 14:59 17:30 18:43'],
  },
  {
    city: 'Amman',
    authority: 'Ministry of Awqaf of Jordan',
    found: 'the press, for the first and last day of Ramadan 1445',
    masjid: place('Jordan', 31.9539, 35.9106, 'Asia/Amman'),
    // The city lies 800 metres high.
    apart: 2,
    days: ['2024-03-11 05:29 - - - 18:49 -', '2024-04-09 04:50 - - - 19:08 -'],
  },
]

const europe: readonly PublishedTable[] = [
  {
    city: 'London',
    authority: 'Moonsighting Committee Worldwide',
    found: `${adhan} (moonsighting.com)`,
    masjid: { ...place('MoonsightingCommittee', 51.507194, -0.116711, 'Europe/London'), madhab: 'hanafi' },
    apart: 1,
    days: [
      '2016-01-01 06:25 08:06 12:09 14:15 16:05 17:38',
      '2016-03-01 05:10 06:45 12:18 15:48 17:44 19:03',
      '2016-05-01 03:47 05:32 13:02 18:05 20:27 21:32',
      '2016-07-01 02:51 04:48 13:09 18:41 21:24 22:38',
      '2016-09-01 04:35 06:14 13:05 17:40 19:49 20:58',
      '2016-11-01 05:17 06:55 11:49 14:44 16:36 17:59',
    ],
  },
]

export const publishedTables: readonly PublishedTable[] = [...turkey, ...gulf, ...africa, ...asia, ...europe]

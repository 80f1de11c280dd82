// Masjids in zones of which the server and the runtime have different rules, each with Dhuhr at 13:30 and an event at 10:45 every day.
import { addDays } from '../../../src/base/civil-date.ts'
import { instantOf, localDateAt } from '../../../src/base/local-time.ts'
import { withClient } from '../../../src/db/with-client.ts'
import { readUsedZones } from '../../../src/db/zone-offsets/compare-offsets.ts'
import { readServerOffsets } from '../../../src/db/zone-offsets/server-offsets.ts'
import { type Masjid, makeMasjid } from '../../staff/use-staff.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { insertEvent } from '../../support/events.ts'
import { type Data, openClient } from '../../support/graphql.ts'
import { insertRule } from '../../support/iqamah.ts'
import { type TestMinaret, useMinaret } from '../../support/minaret.ts'
import { untilSettled } from '../../support/settled.ts'

const PLACES = [
  { timezone: 'Africa/Casablanca', latitude: 33.57, longitude: -7.59 },
  { timezone: 'America/Edmonton', latitude: 53.55, longitude: -113.49 },
  { timezone: 'Africa/Cairo', latitude: 30.04, longitude: 31.24 },
  { timezone: 'Australia/Lord_Howe', latitude: -31.55, longitude: 159.08 },
  { timezone: 'Pacific/Apia', latitude: -13.83, longitude: -171.77 },
]
const DAY_MS = 86_400_000
const scopes = ['masjid:read', 'events:read', 'prayer-times:read'] as const

export const zones = PLACES.map(({ timezone }) => timezone)

export const instant = (date: string, clock: string, zone: string): number =>
  Number(instantOf(`${date}T${clock}`, zone))

export interface Places {
  readonly minaret: () => TestMinaret
  /** Of an app that may read masjids, events and prayer times. */
  readonly key: () => string
  readonly masjidIn: (zone: string) => Masjid
  /** The days around each change of the year, by the runtime's rules or the server's, and today. */
  readonly daysOf: (zone: string) => Promise<string[]>
  /** What the live endpoint answers to the key. */
  readonly ask: (query: string) => Promise<Data>
}

export const usePlaces = (): Places => {
  let key = ''
  const masjids = new Map<string, Masjid>()
  const minaret = useMinaret({}, async ({ service: { database } }) => {
    for (const place of PLACES) {
      const masjid = await makeMasjid(database, place)
      masjids.set(place.timezone, masjid)
      for (const prayer of ['dhuhr', 'jumuah'])
        await insertRule(database, masjid.id, { prayer, rule: 'fixed', fixed_time: '13:30' })
      const starts_local = `${addDays(localDateAt(new Date(), place.timezone), -1)} 10:45`
      const { timezone } = place
      await insertEvent(database, masjid.id, { title: 'Circle', starts_local, timezone, rrule: 'FREQ=DAILY' })
    }
    const app = await makeApp(database, { kind: 'confidential', scopes: [...scopes] })
    ;({ key } = await makeKey(database, { appId: app.id, scopes: [...scopes] }))
    await untilSettled(database)
  })
  return {
    minaret,
    key: () => key,
    masjidIn: zone => masjids.get(zone) as Masjid,
    daysOf: async zone => {
      const now = new Date()
      const [one] = await withClient(minaret().service.database.connection, async client => {
        const used = (await readUsedZones(client, 'public', now)).filter(found => found.zone === zone)
        return (await readServerOffsets(client, used, now)).map(({ stored, ours }) => [stored ?? [], ours ?? []])
      })
      const changes = (one ?? []).flatMap(offsets =>
        offsets.flatMap(([moment, seconds], index) =>
          index > 0 && offsets[index - 1]?.[1] !== seconds ? [moment] : [],
        ),
      )
      const moments = [now.getTime(), ...changes.flatMap(moment => [moment - DAY_MS, moment, moment + DAY_MS])]
      const near = moments.filter(moment => moment < now.getTime() + 360 * DAY_MS)
      return [...new Set(near.map(moment => localDateAt(new Date(moment), zone)))]
    },
    ask: async query => {
      const client = openClient(minaret(), key)
      const { body } = await client.query({ query })
      client.close()
      if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors))
      return body.data
    },
  }
}

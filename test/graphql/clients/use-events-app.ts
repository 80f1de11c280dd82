// The service with events of several masjids, and a token of the app that writes for one of them.
import { after, before } from 'node:test'
import { rawSql } from '../../../src/db/sql.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { basic, makeClient, postToken, readTokens } from '../../support/oauth.ts'
import { fixtureTemplate, masjidId } from '../fixture.ts'

/** Has five events, "Event 5.1" to "Event 5.5". */
export const HERE = masjidId(5)
/** Has four events, which the app reads but may not write. */
export const ELSEWHERE = masjidId(4)

// biome-ignore lint/suspicious/noExplicitAny: a row has the shape of its query
type Row = any

export interface EventsApp {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  rows(sql: string): Promise<Row[]>
}

const SCOPES = 'events:read events:write masjid:read'

/** Clients do not send a write again if the service closed the idle connection, as it does on a busy machine. */
const freshConnection = { connection: 'close' }

const tokenOf = async (minaret: TestMinaret): Promise<string> => {
  const app = await makeClient(minaret.service.database, {
    kind: 'confidential',
    scopes: SCOPES,
    masjids: { only: '*', own: [HERE] },
  })
  const form = { grant_type: 'client_credentials', scope: SCOPES }
  return (await readTokens(await postToken(minaret, form, { ...basic(app), ...freshConnection }))).access_token
}

export const useEventsApp = (): (() => EventsApp) => {
  let minaret: TestMinaret | undefined
  let app: EventsApp | undefined
  before(async () => {
    minaret = await startTestMinaret({}, { template: fixtureTemplate })
    const { database } = minaret.service
    app = {
      endpoint: `${minaret.baseUrl}/v1/graphql`,
      headers: { authorization: `Bearer ${await tokenOf(minaret)}`, ...freshConnection },
      rows: sql => database.query(rawSql(sql)),
    }
  })
  after(async () => minaret?.stop())
  return () => {
    if (app === undefined) throw new Error('The service is not running yet.')
    return app
  }
}

export const eventId = (masjid: number, number: number): string =>
  `00000000-0000-4000-8000-000000400${masjid}0${number}`

export const newEvent = (title: string) => ({
  masjid_id: HERE,
  title,
  category: 'lecture',
  starts_local: '2026-05-01T19:30:00',
  duration_minutes: 90,
  timezone: 'America/New_York',
})

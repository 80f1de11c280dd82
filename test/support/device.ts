// The device flow over HTTP: a device asks and polls, a person types the code and decides.
import { sql } from '../../src/db/sql.ts'
import { DECIDE_ACTION } from '../../src/site/device/confirm-page.ts'
import type { TestMinaret } from './minaret.ts'
import { basic, postForm, postToken, readError, type TestApp } from './oauth.ts'
import { createPerson, type Person, type Shown } from './person.ts'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export interface DeviceCodes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

const headersOf = (app: TestApp): Record<string, string> => (app.secret === '' ? {} : basic(app))

export const askDevice = (
  { baseUrl }: TestMinaret,
  app: TestApp,
  fields: Record<string, string> = { scope: 'openid masjid:read' },
  headers: Record<string, string> = {},
): Promise<Response> =>
  postForm(
    `${baseUrl}/oauth/device_authorization`,
    { ...(app.secret === '' ? { client_id: app.clientId } : {}), ...fields },
    { ...headersOf(app), ...headers },
  )

export const startDevice = async (minaret: TestMinaret, app: TestApp, scope?: string): Promise<DeviceCodes> => {
  const response = await askDevice(minaret, app, scope === undefined ? undefined : { scope })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as DeviceCodes
}

export const pollDevice = (minaret: TestMinaret, app: TestApp, deviceCode: string): Promise<Response> =>
  postToken(
    minaret,
    {
      grant_type: DEVICE_GRANT,
      device_code: deviceCode,
      ...(app.secret === '' ? { client_id: app.clientId } : {}),
    },
    headersOf(app),
  )

/** What the device is told, as the error of RFC 8628; undefined for tokens. */
export const pollError = async (minaret: TestMinaret, app: TestApp, deviceCode: string): Promise<string | undefined> =>
  (await readError(await pollDevice(minaret, app, deviceCode))).error

/** As if the interval had passed. */
export const waitInterval = async (
  { service: { database } }: TestMinaret,
  { user_code }: DeviceCodes,
): Promise<void> => {
  await database.run(sql`
    update minaret.device_codes set polled_at = polled_at - interval '10 minutes'
    where user_code = ${user_code.replace('-', '')}`)
}

/** The person whose browser has this cookie. */
export const personWith = ({ baseUrl }: TestMinaret, cookie: string, defaults?: Record<string, string>): Person => {
  const person = createPerson(baseUrl, defaults)
  const [name = '', value = ''] = cookie.split('=')
  person.cookies.set(name, value)
  return person
}

/** Types the code: on to the page that asks, or back with what is wrong. */
export const typeCode = (person: Person, code: string): Promise<Shown> =>
  person.submit('/device', '/device', { user_code: code })

/** From the typed code to the decision; the page that follows. */
export const decideDevice = async (
  person: Person,
  code: string,
  decision: 'allow' | 'deny' = 'allow',
): Promise<Shown> => {
  const asked = await typeCode(person, code)
  if (asked.location === undefined) throw new Error(`the code was not taken: ${asked.status}`)
  const decided = await person.submit(asked.location, DECIDE_ACTION, { decision })
  return decided.location === undefined ? decided : person.get(decided.location)
}

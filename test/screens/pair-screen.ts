// A screen without a browser: asks, is connected by somebody who looks after screens, and reads its state.
import type { User } from '../../src/accounts/users.ts'
import { sha256 } from '../../src/base/secrets.ts'
import { sql } from '../../src/db/sql.ts'
import { newRefreshToken } from '../../src/oauth/tokens/refresh-token.ts'
import { DECIDE_ACTION } from '../../src/site/device/confirm-page.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../staff/use-staff.ts'
import { pollDevice, startDevice, typeCode } from '../support/device.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { readTokens, refresh, type TestApp, type Tokens } from '../support/oauth.ts'
import type { Person, Shown } from '../support/person.ts'

export const screenApp: TestApp = { id: '', clientId: 'minaret-screen', secret: '', redirectUri: '' }

export const SCREEN_SCOPE = 'masjid:read events:read prayer-times:read'

export interface Keeper {
  readonly masjid: Masjid
  readonly user: User
  readonly person: Person
}

/** A masjid, and somebody who looks after its screens. */
export const makeKeeper = async (minaret: TestMinaret): Promise<Keeper> => {
  const { database } = minaret.service
  const masjid = await makeMasjid(database)
  const user = await makeStaff(database, { masjid, capabilities: ['screens'] })
  return { masjid, user, person: await visitAs(minaret, user) }
}

/** Types the code and connects the screen. */
export const connectScreen = async (
  person: Person,
  userCode: string,
  fields: Record<string, string>,
): Promise<Shown> => {
  const asked = await typeCode(person, userCode)
  if (asked.location === undefined) throw new Error(`the code was not taken: ${asked.status}`)
  return person.submit(asked.location, DECIDE_ACTION, { decision: 'allow', ...fields })
}

export const pairScreen = async (
  minaret: TestMinaret,
  { person, masjid }: Keeper,
  name = 'Main hall',
): Promise<Tokens> => {
  const codes = await startDevice(minaret, screenApp, SCREEN_SCOPE)
  const decided = await connectScreen(person, codes.user_code, { masjid: masjid.id, name })
  if (decided.status !== 303) throw new Error(`not connected: ${decided.status} ${decided.text.slice(0, 500)}`)
  return readTokens(await pollDevice(minaret, screenApp, codes.device_code))
}

/** Screens that are connected already, each with the first token of its own: pairing them one by one would take long. */
export const addScreens = async (
  minaret: TestMinaret,
  { masjid, user }: Keeper,
  count: number,
): Promise<readonly string[]> => {
  const tokens = Array.from({ length: count }, newRefreshToken)
  await minaret.service.database.run(sql`
    with asked as (
      select gen_random_uuid() as grant_id, token_hash, app.id as app_id, app.scopes, place
      from unnest(${tokens.map(sha256)}::bytea[]) with ordinality as token (token_hash, place)
        cross join minaret.apps app where app.client_id = ${screenApp.clientId}
    ), granted as (
      insert into minaret.grants (id, app_id, masjid_id, scopes, auth_time)
      select grant_id, app_id, ${masjid.id}, scopes, now() from asked
    ), connected as (
      insert into minaret.screens (grant_id, masjid_id, name, created_by)
      select grant_id, ${masjid.id}, 'Screen ' || place, ${user.id} from asked
    )
    insert into minaret.refresh_tokens (token_hash, grant_id, app_id, scopes, idle_expires_at, expires_at)
    select token_hash, grant_id, app_id, scopes, now() + interval '1 day', 'infinity' from asked`)
  return Promise.all(
    tokens.map(async token => (await readTokens(await refresh(minaret, screenApp, token))).access_token),
  )
}

export const readState = (
  { baseUrl }: TestMinaret,
  token: string,
  headers: Record<string, string> = {},
): Promise<Response> => fetch(`${baseUrl}/screen/state`, { headers: { authorization: `Bearer ${token}`, ...headers } })

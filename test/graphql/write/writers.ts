// Who writes in the property: apps of one masjid, of several, of none, of all; and people with and without a capability.
import type { Scope } from '../../../src/access/scopes.ts'
import { sql } from '../../../src/db/sql.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { getTokens, makeFlow } from '../../support/oauth.ts'
import { masjidId } from '../fixture.ts'
import type { TestWriting } from './use-writing.ts'

export interface Writer {
  readonly name: string
  /** Where it may write. */
  readonly masjids: 'all' | readonly string[]
  readonly credential: string
}

export const PLACES = [masjidId(1), masjidId(2), masjidId(3)] as const

const scopes: readonly Scope[] = ['masjid:read', 'events:read', 'events:write']

const appWith = async (
  { database }: TestWriting,
  name: string,
  only: '*' | readonly string[],
  own: '*' | readonly string[],
): Promise<Writer> => {
  const { id } = await makeApp(database, { scopes, masjids: { only, own } })
  const { key } = await makeKey(database, { appId: id, scopes })
  return { name, masjids: own === '*' ? 'all' : own, credential: key }
}

/** An active member; `role` board brings the capability along, otherwise it is granted as such. */
const personWith = async (
  { minaret, database }: TestWriting,
  name: string,
  at: readonly { readonly masjid: string; readonly role: string; readonly capability?: string }[],
): Promise<Writer> => {
  const flow = await makeFlow(minaret, { scopes: scopes.join(' ') })
  for (const { masjid, role, capability } of at) {
    await database.run(sql`
      insert into ua_members (masjid_id, user_id, role, status, given_name)
      values (${masjid}, ${flow.user.id}, ${role}, 'active', 'Amina')`)
    if (capability !== undefined)
      await database.run(sql`
        insert into ua_capabilities (masjid_id, user_id, capability) values (${masjid}, ${flow.user.id}, ${capability})`)
  }
  const { access_token: credential } = await getTokens(minaret, flow, { scope: scopes.join(' ') })
  const masjids = at
    .filter(({ role, capability }) => role === 'board' || capability === 'events')
    .map(one => one.masjid)
  return { name, masjids, credential }
}

export const makeWriters = async (writing: TestWriting): Promise<readonly Writer[]> => {
  const [here, there, elsewhere] = PLACES
  return Promise.all([
    appWith(writing, "one masjid's own app", '*', [here]),
    appWith(writing, 'the own app of two', '*', [there, elsewhere]),
    appWith(writing, "nobody's own app", '*', []),
    appWith(writing, 'an app of all', '*', '*'),
    personWith(writing, 'somebody of the board', [{ masjid: here, role: 'board' }]),
    personWith(writing, 'a member with a capability', [
      { masjid: there, role: 'member', capability: 'events' },
      { masjid: elsewhere, role: 'member', capability: 'times' },
    ]),
    personWith(writing, 'a member without', [{ masjid: here, role: 'member' }]),
  ])
}

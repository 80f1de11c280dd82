// An address that an app is to be asked or told at: what would not be fetched is not saved either.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { isFetchable, mayBeReached } from '../../../src/outbound/check-saved-address.ts'
import { publicDial, type Resolved } from '../../../src/outbound/way.ts'
import { makeApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson, type Person } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const never = [
  'http://keys.example.org/jwks',
  'https://keys.example.org:8443/jwks',
  'https://127.0.0.1/jwks',
  'https://[::1]/jwks',
  'https://169.254.169.254/latest/meta-data',
  'https://2130706433/jwks',
  'https://localhost/jwks',
  'https://keys.localhost/jwks',
  'https://printer.local/jwks',
  'https://database.internal/jwks',
  'https://nas.home.arpa/jwks',
  'https://postgres/jwks',
  'https://user@keys.example.org/jwks',
  'https://keys.example.org\\@localhost/jwks',
  'ftp://keys.example.org/jwks',
]

const owner = async (): Promise<{ person: Person; appId: string }> => {
  const user = await makeUser(database())
  const { id: appId } = await makeApp(database(), { ownerId: user.id, kind: 'confidential' })
  const person = createPerson(minaret().baseUrl)
  await person.signIn(user.email, PASSWORD)
  return { person, appId }
}

test('the address of keys', async () => {
  const { person, appId } = await owner()
  const page = `/console/apps/${appId}/credentials`
  const action = `/console/apps/${appId}/signing-keys`
  for (const jwks_uri of never) assert.equal((await person.submit(page, action, { jwks_uri })).status, 422, jwks_uri)
  const rows = await database().query(sql`
    select from minaret.apps where id = ${appId} and jwks_uri is not null`)
  assert.equal(rows.length, 0)
})

test('the address for sign-outs', async () => {
  const { person, appId } = await owner()
  const page = `/console/apps/${appId}/settings`
  const action = `/console/apps/${appId}/sign-outs`
  for (const backchannel_logout_uri of never)
    assert.equal((await person.submit(page, action, { backchannel_logout_uri })).status, 422, backchannel_logout_uri)
})

test('one’s own picture', async () => {
  const { person } = await owner()
  for (const picture of never)
    assert.equal(
      (await person.submit('/account', '/account/profile', { name: 'Amina', language: 'en', picture })).status,
      422,
      picture,
    )
})

test('a name is asked where it leads: one address of our own network among several is enough', async () => {
  const leads = (...addresses: string[]) => ({
    dial: {
      ...publicDial,
      resolve: async (): Promise<Resolved[]> =>
        addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    },
  })
  const text = 'https://keys.example.org/jwks'
  assert.equal(await mayBeReached(text, leads('93.184.215.14')), true)
  for (const inside of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1']) {
    assert.equal(await mayBeReached(text, leads(inside)), false, inside)
    assert.equal(await mayBeReached(text, leads('93.184.215.14', inside)), false, inside)
  }
  assert.equal(await mayBeReached(text, leads()), true, 'not there yet: asked again when it is used')
  assert.equal(await mayBeReached('http://127.0.0.1:9000/hook', { ...leads(), loopback: true }), true)
  assert.equal(await mayBeReached('http://127.0.0.1:9000/hook', leads()), false)
})

test('whatever the text alone tells is refused without asking anybody', () => {
  for (const text of never) assert.equal(isFetchable(text), false, text)
  for (const text of ['https://example.org/a.png', 'https://xn--mgbh0fb.example/logo.svg?x=1'])
    assert.equal(isFetchable(text), true, text)
})

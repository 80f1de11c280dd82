// An app or a person enters an address that would run as a script, or pose as another site, when a page links to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { outsideLink, pictureSource } from '../../../src/site/pieces/outside-link.ts'
import { makePendingApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const hostile = [
  'javascript://example.org/%0aalert(1)#',
  'javascript:alert(1)#',
  'https://accounts.example@evil.test/#',
  'https://user:password@evil.test/',
  'https:\\\\evil.test\\#',
  'data:text/html,<script>alert(1)</script>#',
  'file:///etc/passwd#',
  'http://example.org/#',
  'http://localhost:3000/#',
  '//evil.test/#',
  '/console#',
  'https://#',
  'https://evil.test:99999/#',
  'https://exam\u202eple.org/#',
  'https://example.org/"onclick="alert(1)#',
]

const registration = {
  name: 'Board',
  description: 'Shows times.',
  kind: 'confidential',
  redirect_uris: 'https://app.example.org/callback',
  scopes: 'masjid:read',
}

test('the console refuses each of them as home page and logo, and the account as picture', async () => {
  const { email } = await makeUser(database())
  const developer = createPerson(minaret().baseUrl)
  await developer.signIn(email, PASSWORD)
  for (const address of hostile) {
    for (const field of ['home_page', 'logo']) {
      const answer = await developer.submit('/console/apps/new', '/console/apps', { ...registration, [field]: address })
      assert.equal(answer.status, 422, `${field} ${address}`)
      assert.match(answer.text, /is not a web address/)
    }
    const profile = { name: 'Amina', picture: address, language: 'en' }
    assert.equal((await developer.submit('/account', '/account/profile', profile)).status, 422, address)
  }
  const good = { ...registration, home_page: 'https://app.example.org/#about' }
  assert.equal((await developer.submit('/console/apps/new', '/console/apps', good)).status, 303)
})

test('the database refuses each of them too: of apps, people, masjids, events and sources', async () => {
  const appId = await makePendingApp(database())
  const { id } = await makeUser(database(), { hashed: false })
  for (const address of hostile) {
    const refused = { code: '23514' }
    for (const column of [sql`home_page`, sql`logo`])
      await assert.rejects(
        database().run(sql`update minaret.apps set ${column} = ${address} where id = ${appId}`),
        refused,
      )
    await assert.rejects(database().run(sql`update minaret.users set picture = ${address} where id = ${id}`), refused)
  }
  for (const schema of [sql`public`, sql`sandbox`])
    for (const address of hostile) {
      const row = await database().first<{ good: boolean }>(sql`select ${schema}.is_web_address(${address}) as good`)
      assert.equal(row?.good, false, address)
    }
})

test('a page that finds one of them anyway shows it as text, and loads no picture from it', () => {
  for (const address of hostile) {
    assert.doesNotMatch(outsideLink(address).text, /href|<script|<a /, address)
    const source = pictureSource(address)
    assert.ok(source === undefined, address)
  }
  assert.match(
    outsideLink('https://example.org/#a').text,
    /^<a href="https:\/\/example\.org\/#a" rel="noopener noreferrer"/,
  )
  assert.equal(pictureSource('/pictures/x.svg'), '/pictures/x.svg')
  assert.equal(pictureSource('//evil.test/x.png'), undefined)
})

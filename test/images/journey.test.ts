// From an address in a form to the picture on every page: fetched once, over https, by the job of a running service.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { approveApp } from '../../src/apps/decide.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import { sql } from '../../src/db/sql.ts'
import { imageName } from '../../src/images/images.ts'
import { makeUser, PASSWORD, REDIRECT_URI } from '../support/apps.ts'
import { type ImageHost, only, openImageHost, PICTURE } from '../support/image-host.ts'
import { untilImage } from '../support/image-rows.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { authorizeParameters, makePkce } from '../support/oauth.ts'
import { createPerson, decodeHtml, type Person } from '../support/person.ts'

let host: ImageHost
let minaret: TestMinaret
before(async () => {
  host = await openImageHost()
  minaret = await startTestMinaret({}, { dial: host.dial })
})
after(async () => {
  await minaret?.stop()
  await host?.close()
})

const enter = async (wishes: Parameters<typeof makeUser>[1] = {}): Promise<Person> => {
  const user = await makeUser(minaret.service.database, wishes)
  const person = createPerson(minaret.baseUrl)
  await person.signIn(user.email, PASSWORD)
  return person
}

const registration = (logo: string): Record<string, string> => ({
  name: 'Prayer board',
  description: 'It shows the times of prayer.',
  logo,
  kind: 'public',
  redirect_uris: REDIRECT_URI,
  scopes: 'masjid:read',
  id_token_alg: 'RS256',
  client_authentication: 'basic_or_post',
})

const register = async (owner: Person, logo: string): Promise<string> => {
  const { location = '' } = await owner.submit('/console/apps/new', '/console/apps', registration(logo))
  const [, id] = /^\/console\/apps\/([0-9a-f-]+)\?done=registered$/.exec(location) ?? []
  return id ?? assert.fail(location)
}

const sourcesOf = (page: string): string[] =>
  [...page.matchAll(/<img[^>]*\ssrc="([^"]*)"/g)].map(([, source = '']) => decodeHtml(source))

/** The page has the picture from us, no picture from elsewhere, and would not be allowed one. */
const assertOurs = async (person: Person, path: string, address: string): Promise<void> => {
  const page = await person.get(path)
  assert.equal(page.status, 200, path)
  const sources = sourcesOf(page.text)
  assert.ok(sources.includes(`/pictures/fetched/${imageName(address)}`), `${path}: ${sources}`)
  for (const source of sources) assert.match(source, /^\/[^/]/, path)
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self' data:;/, path)
}

const assertServed = async (address: string): Promise<void> => {
  const served = await fetch(new URL(`/pictures/fetched/${imageName(address)}`, minaret.baseUrl))
  assert.equal(served.headers.get('content-type'), 'image/png')
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), PICTURE)
}

const consentOf = async (person: Person, appId: string): Promise<string> => {
  const app = await minaret.service.database.first<{ client_id: string }>(
    sql`select client_id from minaret.apps where id = ${appId}`,
  )
  const client = { id: appId, clientId: String(app?.client_id), secret: '', redirectUri: REDIRECT_URI }
  const parameters = authorizeParameters(client, makePkce(), { scope: 'masjid:read' })
  const { location = '' } = await person.get(`/oauth/authorize?${parameters}`)
  assert.match(location, /^\/consent/)
  return location
}

test('a logo goes from the form to console, review desk and consent page; its host gets one request, which identifies nobody', async () => {
  const { database } = minaret.service
  const [owner, reviewer] = [await enter(), await enter({ isReviewer: true })]
  const logo = 'https://logo.test/board.png'
  const id = await register(owner, logo)
  await untilImage(database, logo, ({ state }) => state === 'fetched')
  await assertServed(logo)

  for (const path of ['/console', `/console/apps/${id}`]) await assertOurs(owner, path, logo)
  const overview = await owner.get(`/console/apps/${id}`)
  assert.match(overview.text, /logo\.test\/board\.png<\/a> <span class="badge good">shown/)
  const edit = await owner.get(`/console/apps/${id}/edit`)
  assert.match(edit.text, /We have fetched the image and show it\./)
  await assertOurs(reviewer, `/review/apps/${id}`, logo)
  assert.match((await reviewer.get(`/review/apps/${id}`)).text, /You see the logo that people will see/)

  await approveApp(database, { appId: id, actor })
  await assertOurs(reviewer, await consentOf(reviewer, id), logo)

  const changed = 'https://logo.test/changed.png'
  await owner.submit(`/console/apps/${id}/edit`, `/console/apps/${id}/edit`, registration(changed))
  await untilImage(database, changed, ({ state }) => state === 'fetched')
  const change = await database.first<{ id: string }>(sql`select id from minaret.app_changes where app_id = ${id}`)
  await assertOurs(reviewer, `/review/changes/${change?.id}`, changed)

  assert.equal(host.countOf('/board.png'), 1)
  assert.equal(host.countOf('/changed.png'), 1)
  for (const { headers } of host.requests)
    assert.deepEqual(Object.keys(headers).sort(), ['accept', 'connection', 'host', 'user-agent'])
})

const choosePicture = (person: Person, picture: string): Promise<unknown> =>
  person.submit('/account', '/account/profile', { name: 'Amina', picture, language: 'en' })

test('a profile picture is fetched and served the same way, and its owner is told why one was refused', async () => {
  const { database } = minaret.service
  const person = await enter()
  const picture = 'https://logo.test/amina.png'
  await choosePicture(person, picture)
  await untilImage(database, picture, ({ state }) => state === 'fetched')
  await assertOurs(person, '/account', picture)
  await assertServed(picture)
  assert.equal(host.countOf('/amina.png'), 1)

  host.answers.set('/huge.png', (_, response) => void response.end(Buffer.alloc(600_000)))
  const huge = 'https://logo.test/huge.png'
  await choosePicture(person, huge)
  await untilImage(database, huge, ({ state }) => state === 'refused')
  const { text } = await person.get('/account')
  assert.match(decodeHtml(text), /The image at \u2066https:\/\/logo\.test\/huge\.png\u2069 is larger than 512 KB\./)
  assert.match(text, /<input[^>]*name="picture"[^>]*aria-describedby="picture-hint picture-fault"/)
})

test('the overview and the form say that a logo is waiting or why it was refused, in both languages', async () => {
  const { database } = minaret.service
  const owner = await enter()
  const page = async (path: string): Promise<string> => decodeHtml((await owner.get(path)).text)

  host.answers.set('/down.png', only(503))
  const down = 'https://logo.test/down.png'
  const waiting = await register(owner, down)
  await untilImage(database, down, ({ reason }) => reason === 'status')
  const answered = /down\.png\u2069 answered with status 503\. .* We try again a few times/
  assert.match(await page(`/console/apps/${waiting}`), answered)
  assert.match(await page(`/console/apps/${waiting}/edit`), answered)

  host.answers.set('/moved.png', only(302))
  const moved = 'https://logo.test/moved.png'
  const id = await register(owner, moved)
  await untilImage(database, moved, ({ state }) => state === 'refused')
  const words =
    /moved\.png\u2069 redirects elsewhere\. Give the address of the image itself\. After that, save the form/
  const overview = await page(`/console/apps/${id}`)
  assert.match(overview, words)
  assert.match(overview, /<span class="badge warn">cannot be shown/)
  const edit = await page(`/console/apps/${id}/edit`)
  assert.match(edit, words)
  assert.match(edit, /<input[^>]*name="logo"[^>]*aria-invalid="true"/)
  await approveApp(database, { appId: id, actor })
  assert.match(await page(`/console/apps/${id}`), /The app is approved, so the image needs a new address/)

  owner.cookies.set('minaret_language', 'ar')
  for (const path of [`/console/apps/${id}`, `/console/apps/${id}/edit`])
    assert.match(
      await page(path),
      /يحيل \u2066https:\/\/logo\.test\/moved\.png\u2069 إلى عنوان آخر\. أدخل عنوان الصورة نفسها\./,
    )
})

test('a logo that is fixed and saved again is fetched again', async () => {
  const { database } = minaret.service
  const owner = await enter()
  const logo = 'https://logo.test/mended.png'
  host.answers.set('/mended.png', only(404))
  const id = await register(owner, logo)
  await untilImage(database, logo, ({ state }) => state === 'refused')
  host.answers.delete('/mended.png')
  const save = () => owner.submit(`/console/apps/${id}/edit`, `/console/apps/${id}/edit`, registration(logo))
  await save()
  await untilImage(database, logo, ({ state }) => state === 'refused')
  assert.equal(host.countOf('/mended.png'), 1, 'not within a minute')
  await database.run(sql`update minaret.images set try_at = now() where address = ${logo}`)
  await save()
  await untilImage(database, logo, ({ state }) => state === 'fetched')
  await assertServed(logo)
})

// Registrations that were begun: kept as typed for their author alone, by a button or while somebody types.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { enterAs, visitAs } from '../staff/use-staff.ts'
import { inPage, looks, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import { decodeHtml, hiddenFieldsOf } from '../support/person.ts'

const minaret = useMinaret()
const browser = useBrowser()
const database = () => minaret().service.database

const typed = {
  name: 'Half an app',
  description: 'It will show',
  kind: 'public',
  redirect_uris: 'https://a.example.org/cb\r\nnot yet',
  scopes: 'masjid:read',
}

test('a draft is saved as typed, continued, and gone once it is sent or discarded', async () => {
  const person = await visitAs(minaret(), await makePerson(database()))
  const saved = await person.submit('/console/apps/new', '/console/apps', {})
  assert.equal(saved.status, 422, 'sending checks, saving does not')
  const hidden = hiddenFieldsOf((await person.get('/console/apps/new')).text, '/console/apps')
  assert.equal((await person.post('/console/drafts', { ...hidden, ...typed })).location, '/console?done=draft')
  const list = decodeHtml((await person.get('/console?done=draft')).text)
  assert.match(list, /Half an app/)
  const [resume = ''] = /\/console\/apps\/new\?draft=[0-9a-f-]+/.exec(list) ?? []
  const { text } = await person.get(resume)
  assert.match(decodeHtml(text), /https:\/\/a\.example\.org\/cb\nnot yet<\/textarea>/)
  assert.match(text, /value="masjid&#58;read"[^>]* checked|value="masjid:read"[^>]* checked/)
  const again = hiddenFieldsOf(text, '/console/apps')
  assert.equal(again.draft, hidden.draft)
  const sent = await person.post('/console/apps', { ...again, ...typed, redirect_uris: 'https://a.example.org/cb' })
  assert.match(sent.location ?? '', /done=registered/)
  assert.doesNotMatch((await person.get('/console')).text, /new\?draft/)
})

test('a draft is its author’s alone: others neither read, overwrite nor discard it, and nobody keeps many', async () => {
  const author = await makePerson(database())
  const person = await visitAs(minaret(), author)
  const stranger = await visitAs(minaret(), await makePerson(database()))
  const hidden = hiddenFieldsOf((await person.get('/console/apps/new')).text, '/console/apps')
  await person.post('/console/drafts', { ...hidden, ...typed })
  const own = hiddenFieldsOf((await stranger.get('/console/apps/new')).text, '/console/apps')
  const { draft = '' } = hidden
  assert.equal((await stranger.get(`/console/apps/new?draft=${draft}`)).status, 404)
  assert.equal((await stranger.post('/console/drafts', { ...own, ...typed, draft, name: 'Mine' })).status, 404)
  assert.equal((await stranger.post(`/console/drafts/${draft}/discard`, own)).status, 404)
  assert.match((await person.get('/console')).text, /Half an app/)
  await database().run(sql`
    insert into minaret.app_drafts (id, user_id, form)
    select gen_random_uuid(), ${author.id}, '{}' from generate_series(1, 30)`)
  const kept = await database().first<{ count: number }>(sql`
    select count(*)::int from minaret.app_drafts where user_id = ${author.id}`)
  assert.equal(kept?.count, 20)
})

test('what is typed is saved by itself', { skip: noBrowser }, async () => {
  const user = await makePerson(database())
  await inPage(browser(), looks.light, async page => {
    await enterAs(minaret(), page, user)
    await page.goto(`${minaret().baseUrl}/console/apps/new`)
    await page.getByLabel('App name').fill('Typed by hand')
    await page.getByText('Saved as a draft.').waitFor()
    await page.goto(`${minaret().baseUrl}/console`)
    await page.getByRole('link', { name: 'Continue with Typed by hand' }).click()
    assert.equal(await page.getByLabel('App name').inputValue(), 'Typed by hand')
  })
})

// A developer watches who opens our pages by serving the app's logo: pages show only what we fetched and serve ourselves.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { imageName } from '../../../src/images/images.ts'
import { makeEveryPage } from '../../console/every-page.ts'
import { makeApp, makeUser } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { signIn } from '../../support/oauth.ts'

const LOGO = 'https://tracker.test/logo.png'
const minaret = useMinaret()

describe('the logo of an app', () => {
  test('is queued when it is saved, shown as a placeholder, and then served by us', async () => {
    const { database } = minaret().service
    const owner = await makeUser(database)
    const app = await makeApp(database, { ownerId: owner.id })
    await database.run(sql`update minaret.apps set logo = ${LOGO} where id = ${app.id}`)
    const shown = `/pictures/fetched/${imageName(LOGO)}`

    const headers = { cookie: await signIn(database, owner) }
    const page = await fetch(new URL('/console', minaret().baseUrl), { headers })
    const html = await page.text()
    assert.ok(html.includes(`src="${shown}"`), html)
    assert.doesNotMatch(html, /tracker\.test/)
    assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self' data:;/)

    const waiting = await fetch(new URL(shown, minaret().baseUrl))
    assert.deepEqual(
      [waiting.status, waiting.headers.get('content-type'), waiting.headers.get('cache-control')],
      [200, 'image/svg+xml', 'no-store'],
    )
    assert.doesNotMatch(await waiting.text(), /tracker/)

    const kept = await database.run(sql`
      update minaret.images set state = 'fetched', reason = null, content = 'picture'::bytea, content_type = 'image/png' where address = ${LOGO}`)
    assert.equal(kept, 1, 'the trigger queued it')
    const served = await fetch(new URL(shown, minaret().baseUrl))
    assert.equal(await served.text(), 'picture')
    assert.equal(served.headers.get('content-type'), 'image/png')
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(served.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(served.headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/)
  })

  test('a name that is not a hash is refused', async () => {
    const answer = await fetch(new URL('/pictures/fetched/x', minaret().baseUrl))
    assert.ok(answer.status === 400 || answer.status === 404)
  })
})

const openPages = ['/', '/sign-in', '/sign-up', '/docs', '/explorer', '/nothing-here']
const accountPages = ['/account', '/account/apps', '/account/sessions', '/account/activity']

describe('every page', () => {
  test('loads images from us only, and its policy allows no others', async () => {
    const { database } = minaret().service
    const every = await makeEveryPage(database)
    await database.run(sql`update minaret.apps set logo = ${LOGO}`)
    await database.run(sql`update minaret.users set picture = ${LOGO}`)
    const pages = [
      [undefined, openPages],
      [every.owner, [...accountPages, ...Object.values(every.ownerPages)]],
      [every.reviewer, Object.values(every.reviewerPages)],
      [every.admin, Object.values(every.adminPages)],
    ] as const
    for (const [user, paths] of pages) {
      const headers = { accept: 'text/html', cookie: user === undefined ? '' : await signIn(database, user) }
      for (const path of paths) {
        const page = await fetch(new URL(path, minaret().baseUrl), { headers })
        const policy = page.headers.get('content-security-policy') ?? ''
        assert.match(policy, /(^|; )default-src 'none';/, path)
        assert.deepEqual(policy.match(/img-src [^;]*/g), ["img-src 'self' data:"], path)
        const sources = [...(await page.text()).matchAll(/<img[^>]*\ssrc="([^"]*)"/g)].map(([, source]) => source)
        for (const source of sources) assert.match(String(source), /^\/[^/]/, path)
      }
    }
  })
})

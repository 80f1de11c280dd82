// oidc-client-ts in real Chromium, on another origin than the service: discovery, sign-in, userinfo, refresh, revocation, sign-out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { makeClient, userinfo, within } from '../support/oauth.ts'
import { startSpa } from '../support/spa.ts'

const minaret = useMinaret()
const browser = useBrowser()

interface SpaUser {
  readonly access_token: string
  readonly refresh_token: string
  readonly profile: { readonly sub: string; readonly email: string; readonly name: string }
}

test('a single-page app signs in, refreshes, revokes and signs out', { skip: noBrowser }, async () => {
  const { database } = minaret().service
  const user = await makeUser(database, { name: 'Khadija Rahman' })
  const app = await makeClient(database, {
    redirectUris: ['http://127.0.0.1/callback'],
    postLogoutRedirectUris: ['http://127.0.0.1/signed-out'],
  })
  const spa = await startSpa(origin => ({
    authority: minaret().baseUrl,
    client_id: app.clientId,
    redirect_uri: `${origin}/callback`,
    post_logout_redirect_uri: `${origin}/signed-out`,
    scope: 'openid profile email masjid:read',
    loadUserInfo: true,
    revokeTokenTypes: ['access_token', 'refresh_token'],
  }))
  try {
    await inPage(browser(), {}, async page => {
      const shown = async <T>(): Promise<T> => {
        await page.waitForFunction('document.querySelector("#state").textContent !== ""')
        return JSON.parse((await page.textContent('#state')) ?? '{}') as T
      }
      await page.goto(spa.origin)
      await page.click('#sign-in')
      await page.getByLabel('Email').fill(user.email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${spa.origin}/callback**`)
      const { user: first } = await shown<{ user: SpaUser }>()
      assert.equal(first.profile.sub, user.id)
      assert.equal(first.profile.email, user.email)
      assert.equal(first.profile.name, user.name)

      const second = (await page.evaluate('manager.signinSilent()')) as SpaUser
      assert.notEqual(second.access_token, first.access_token)
      assert.notEqual(second.refresh_token, first.refresh_token)
      await page.evaluate('manager.revokeTokens()')
      await within(1000, 'the access token ends', async () => {
        return (await userinfo(minaret(), second.access_token)).status === 401
      })
      await page.evaluate('void manager.signoutRedirect()')
      await page.waitForURL(`${spa.origin}/signed-out**`)
      await page.goto(spa.origin)
      await page.click('#sign-in')
      await page.getByLabel('Password').waitFor()
    })
  } finally {
    await spa.close()
  }
})

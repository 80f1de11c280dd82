// The consent page, the pages of the device flow and the error page for a wrong redirect URI in real Chromium: light,
// dark, on a phone and in Arabic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { allScopes } from '../../src/access/scopes.ts'
import { faultsInLook, inPage, looks, noBrowser, openedLooks, takeScreenshot, useBrowser } from '../support/browser.ts'
import { personWith, startDevice, typeCode } from '../support/device.ts'
import { useMinaret } from '../support/minaret.ts'
import { authorizeParameters, type Flow, getTokens, makeFlow, makePerson, makePkce, signIn } from '../support/oauth.ts'

const minaret = useMinaret()
const browser = useBrowser()

const enter = async (page: Page, cookie: string, language: string): Promise<void> => {
  const cookies = { minaret_session: cookie.split('=')[1] ?? '', minaret_language: language }
  const url = minaret().baseUrl
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
}

const lookAt = async (name: string, address: string, cookie: string): Promise<void> => {
  for (const look of openedLooks)
    await inPage(browser(), looks[look], async page => {
      await enter(page, cookie, look.startsWith('arabic') ? 'ar' : 'en')
      await page.goto(address)
      await takeScreenshot(page, `${name}-${look}`)
      assert.deepEqual(await faultsInLook(page, look), [], `${name}, ${look}`)
    })
}

const addressOf = (flow: Flow, parameters: Record<string, string>, scope: string): string =>
  `${minaret().baseUrl}/oauth/authorize?${authorizeParameters(flow.app, makePkce(), { scope, parameters })}`

test('the consent page names scopes and claims without scrolling sideways, in both languages', {
  skip: noBrowser,
}, async () => {
  const name = 'Salah Companion for Families and Neighbours of the Eastern Districts'
  const scopes = allScopes.join(' ')
  const flow = await makeFlow(minaret(), { name, scopes })
  await getTokens(minaret(), flow, { scope: 'openid masjid:read' })
  const scope = 'profile email offline_access masjid:read donations:read members:read events:write donations:write'
  await lookAt('consent-claims', addressOf(flow, {}, scope), flow.cookie)
})

test('the owner of an app sees the registered addresses, however long, on a phone', { skip: noBrowser }, async () => {
  const { database } = minaret().service
  const owner = await makePerson(database)
  const redirectUris = [`https://app.example.org/${'a-long-path/'.repeat(12)}callback`, 'com.example.app:/callback']
  const flow = await makeFlow(minaret(), { ownerId: owner.id, redirectUris })
  const wrong = { redirect_uri: `https://app.example.org/${'wrong'.repeat(30)}` }
  await lookAt('wrong-redirect', addressOf(flow, wrong, 'openid'), await signIn(database, owner))
})

test('the pages of a device: the code, the question and the answer, on a phone and in both languages', {
  skip: noBrowser,
}, async () => {
  const flow = await makeFlow(minaret(), { name: 'Television of the Sisters’ Hall', deviceFlow: 'on' })
  const codes = await startDevice(minaret(), flow.app, 'openid email masjid:read')
  await lookAt('device-code', codes.verification_uri_complete, flow.cookie)
  const asked = await typeCode(personWith(minaret(), flow.cookie), codes.user_code)
  await lookAt('device-confirm', minaret().baseUrl + asked.location, flow.cookie)
  await lookAt('device-done', `${minaret().baseUrl}/device?done=allow`, flow.cookie)
})

test('Allow leads to the scheme of a native app', { skip: noBrowser }, async () => {
  const flow = await makeFlow(minaret(), { redirectUris: ['com.example.app:/callback'] })
  await inPage(browser(), looks.phone, async page => {
    await enter(page, flow.cookie, 'en')
    const refused: string[] = []
    page.on('console', message => refused.push(message.text()))
    const left = page.waitForEvent('requestfailed', request =>
      request.url().startsWith('com.example.app:/callback?code='),
    )
    await page.goto(addressOf(flow, {}, 'masjid:read'))
    await page.getByRole('button', { name: 'Allow' }).click()
    await left
    assert.ok(!refused.some(text => text.includes('form-action')), refused.join('\n'))
  })
})

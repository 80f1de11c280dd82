// People in the browser: each signs in through the page, in a separate context.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { PASSWORD } from '../support/apps.ts'
import { inPage, looks } from '../support/browser.ts'

export interface Place {
  readonly browser: Browser
  readonly baseUrl: string
}

/** Without script: every action here must work without it. */
export const asPerson = <T>({ browser, baseUrl }: Place, email: string, work: (page: Page) => Promise<T>): Promise<T> =>
  inPage(browser, { ...looks.light, baseURL: baseUrl, javaScriptEnabled: false }, async page => {
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    return work(page)
  })

export interface Wishes {
  readonly name: string
  readonly kind: 'Public' | 'Confidential'
  readonly redirectUris: string
  readonly scopes: readonly string[]
}

export const fillForm = async (page: Page, { name, kind, redirectUris, scopes }: Wishes): Promise<void> => {
  await page.getByLabel('App name').fill(name)
  await page.getByLabel('Description').fill('It shows the times of prayer in the hall.')
  await page.getByRole('radio', { name: kind, exact: true }).check()
  await page.getByLabel('Redirect URIs', { exact: true }).fill(redirectUris)
  for (const scope of scopes) await page.getByRole('checkbox', { name: scope }).check()
}

/** @returns the id of the new app */
export const registerThroughForm = async (page: Page, wishes: Wishes): Promise<string> => {
  await page.goto('/console/apps/new')
  await fillForm(page, wishes)
  await page.getByRole('button', { name: 'Send for review' }).click()
  await page.getByText('Your app is registered').waitFor()
  const id = /apps\/([0-9a-f-]{36})/.exec(page.url())?.[1]
  assert.ok(id, page.url())
  return id
}

/** The secret or key that the page shows once. */
export const shownOnce = async (page: Page, name: string): Promise<string> =>
  (await page.getByRole('region', { name }).textContent())?.trim() ?? ''

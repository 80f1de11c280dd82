// A power cut, for real: Chromium is killed in the middle of an update, and started again without a network.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { announce } from '../masjid/use-masjid-page.ts'
import { noBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { inProfile, type OwnChromium, startChromium } from '../support/own-chromium.ts'
import { pairScreen } from './pair-screen.ts'
import { enterHall, expectDay, type HallMasjid, makeHallMasjid, noonOf, setDeviceClock, shown } from './use-hall.ts'

let masjid: HallMasjid
const minaret = useMinaret({}, async running => {
  masjid = await makeHallMasjid(running)
  await announce(running, masjid.keeper.masjid, { title: 'Version 0', urgent: true })
})

/** An update changes two things at once: half of it would be seen. */
const update = async (version: number): Promise<void> => {
  const title = `Version ${version}`
  await minaret().service.database.transaction(async transaction => {
    const { id } = masjid.keeper.masjid
    await transaction.run(sql`update public.up_masjids set name = ${title} where id = ${id}`)
    await transaction.run(sql`
      update public.up_announcements set texts = ${JSON.stringify({ en: { title } })} where masjid_id = ${id}`)
  })
}

const versionsOf = async (page: Page): Promise<string[]> => {
  await shown(page)
  const name = (await page.locator('#name').textContent()) ?? ''
  return [name, (await page.locator('#pinned').textContent()) ?? '']
}

/** Started without a network: each day has its own times, and what is shown is of one update. */
const expectWhole = async (profile: string, versions: readonly string[]): Promise<void> => {
  const { page, kill } = await startChromium(profile, { offline: true })
  try {
    await page.goto(`${minaret().baseUrl}/screen`)
    const [name = '', pinned = ''] = await versionsOf(page)
    assert.ok(versions.includes(name), `${name}, not one of ${versions}`)
    assert.equal(pinned, name)
    for (const days of [1, 12]) {
      await setDeviceClock(page, noonOf(masjid.dayAhead(days)))
      await expectDay(page, masjid.dayAhead(days))
    }
  } finally {
    await kill()
  }
}

const halfOf = async (route: Route): Promise<void> => {
  const headers = { ...route.request().headers(), 'if-none-match': '' }
  const response = await route.fetch({ headers })
  const body = await response.text()
  await route.fulfill({ response, body: body.slice(0, body.length / 2) })
}

const wholeOf = async (route: Route): Promise<void> => {
  await route.fulfill({ response: await route.fetch() })
}

/** Kills Chromium when the answer with the update was handed to it. */
const cutDuring = async ({ page, kill }: OwnChromium, version: number, answer: typeof halfOf): Promise<void> => {
  const answered = new Promise<void>(resolve => {
    void page.context().route('**/screen/state', async route => {
      await answer(route).catch(() => undefined)
      resolve()
    })
  })
  await update(version)
  await answered
  await kill()
}

test(
  'killed with half of an update, or just as all of it arrives: it shows one whole state, and no other day’s times',
  {
    skip: noBrowser,
  },
  () =>
    inProfile(async profile => {
      await update(1)
      const tokens = await pairScreen(minaret(), masjid.keeper, 'Power')
      const first = await startChromium(profile)
      try {
        await enterHall(minaret(), first.page, tokens)
        await first.page.locator('#name').filter({ hasText: 'Version 1' }).waitFor({ state: 'attached' })
        await cutDuring(first, 2, halfOf)
      } finally {
        await first.kill()
      }
      await expectWhole(profile, ['Version 1', 'Version 2'])
      const second = await startChromium(profile)
      try {
        await second.page.goto(`${minaret().baseUrl}/screen`)
        await second.page.locator('#name').filter({ hasText: 'Version 2' }).waitFor({ state: 'attached' })
        await cutDuring(second, 3, wholeOf)
      } finally {
        await second.kill()
      }
      await expectWhole(profile, ['Version 2', 'Version 3'])
    }),
)

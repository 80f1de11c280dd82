// A power cut, for real: Chromium is killed in the middle of an update, and started again without a network.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Frame, Page, Route } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { announce } from '../masjid/use-masjid-page.ts'
import { noBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import type { Tokens } from '../support/oauth.ts'
import { inProfile, type OwnChromium, startChromium } from '../support/own-chromium.ts'
import { pairScreen } from './pair-screen.ts'
import {
  enterHall,
  expectDay,
  frameOf,
  type HallMasjid,
  keepTokens,
  makeHallMasjid,
  noonOf,
  setDeviceClock,
  shown,
} from './use-hall.ts'

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

interface Website {
  readonly url: string
  readonly host: string
  close(): void
}

/** A page of another site, with the screen in a frame as in `examples/hall-screen`. */
const openWebsite = async (): Promise<Website> => {
  const server = createServer((asked, response) => {
    const file = new URL(asked.url ?? '/', 'http://local').searchParams.get('file') ?? '/screen'
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><title>Our hall</title><iframe src="${minaret().baseUrl}${file}" width="1200" height="700"></iframe>`,
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `${new URL(minaret().baseUrl).hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}/`,
    host,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const enterFramedHall = async (page: Page, { url }: Website, tokens: Tokens): Promise<Frame> => {
  await page.goto(`${url}?file=/screen/screen.css`)
  await (await frameOf(minaret(), page)).evaluate(keepTokens(tokens))
  await page.goto(url)
  const frame = await frameOf(minaret(), page)
  await shown(frame)
  await frame.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  return frame
}

test(
  'in a frame of another site the screen starts again without a network too, apart from one that was opened by itself',
  { skip: noBrowser },
  () =>
    inProfile(async profile => {
      const website = await openWebsite()
      try {
        const tokens = await pairScreen(minaret(), masjid.keeper, 'Framed')
        const first = await startChromium(profile)
        try {
          await enterFramedHall(first.page, website, tokens)
          await first.page.goto(`${minaret().baseUrl}/screen`)
          await first.page.locator('body[data-part=pairing]').waitFor()
        } finally {
          await first.kill()
        }
        const again = await startChromium(profile, { offline: true, reachable: [website.host] })
        try {
          await again.page.goto(website.url)
          const frame = await frameOf(minaret(), again.page)
          await shown(frame)
          for (const days of [1, 12]) {
            await setDeviceClock(frame, noonOf(masjid.dayAhead(days)))
            await expectDay(frame, masjid.dayAhead(days))
          }
        } finally {
          await again.kill()
        }
      } finally {
        website.close()
      }
    }),
)

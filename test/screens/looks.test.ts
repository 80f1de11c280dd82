// What a screen looks like, with everything that it can show: portrait and landscape, each language, own colours and logo.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/db/sql.ts'
import { announce } from '../masjid/use-masjid-page.ts'
import { accessibilityFaults, noBrowser, takeScreenshot, useBrowser } from '../support/browser.ts'
import { insertEvent } from '../support/events.ts'
import { insertRule } from '../support/iqamah.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { png } from '../support/png.ts'
import { pairScreen } from './pair-screen.ts'
import { enterHall, type HallMasjid, inContext, makeHallMasjid, television } from './use-hall.ts'

const LOGO = 'https://larkspur.example.org/logo.png'
/** A golden square. */
const logo = png(
  64,
  64,
  Buffer.concat(
    Array.from({ length: 64 }, () => Buffer.from([0, ...Array.from({ length: 64 }, () => [230, 190, 80, 255]).flat()])),
  ),
)

let masjid: HallMasjid
const minaret = useMinaret({}, async running => {
  masjid = await makeHallMasjid(running)
  const { database } = running.service
  const { id } = masjid.keeper.masjid
  await database.run(sql`update public.up_masjids set name_ar = 'مسجد زهرة الوادي' where id = ${id}`)
  for (const [session, fixed_time] of [
    [1, '13:15'],
    [2, '14:15'],
  ] as const)
    await insertRule(database, id, { prayer: 'jumuah', session, rule: 'fixed', fixed_time, khutbah_minutes: 25 })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await insertEvent(database, id, { title: 'Tafsir halaqah', starts_local: `${tomorrow} 19:30` })
  await database.run(sql`update public.up_events set location = 'Library' where masjid_id = ${id}`)
  await announce(running, masjid.keeper.masjid, {
    title: 'Janazah: Ahmad Saleh',
    arabic: 'صلاة الجنازة: أحمد صالح',
    kind: 'janazah',
  })
  await database.run(sql`
    update public.up_announcements set janazah_place = 'Musalla of the cemetery', burial_place = 'Oakwood Cemetery'
    where masjid_id = ${id}`)
  await announce(running, masjid.keeper.masjid, {
    title: 'Car park closed on Friday',
    body: 'Please come by bus.',
    arabic: 'الموقف مغلق يوم الجمعة',
    urgent: true,
  })
})
const browser = useBrowser()
const database = () => minaret().service.database

const upright = { width: 1080, height: 1920 }

/** Each with an accent of its own, by which a change shows. */
const looks = {
  landscape: { viewport: television, settings: { language: 'en', accent: '#74d2b7' } },
  portrait: { viewport: upright, settings: { language: 'en-ar', accent: '#74d2b8' } },
  'landscape-both': {
    viewport: television,
    settings: { language: 'ar-en', clock: '12', type: 'large', other_times: 'night', accent: '#74d2b9' },
  },
  'portrait-arabic': {
    viewport: upright,
    settings: { language: 'ar', type: 'large', other_times: 'night', ground: '#1a0b16', accent: '#ffb3d9' },
  },
  phone: {
    viewport: { width: 390, height: 844 },
    settings: { language: 'ar', other_times: 'night', ground: '#000000', accent: '#ffdd55' },
  },
  'small-landscape': {
    viewport: { width: 1024, height: 600 },
    settings: { language: 'en-ar', type: 'large', other_times: 'night', accent: '#74d2ba' },
  },
} as const

/** Parts that stick out of the screen or lie over each other. */
const misplaced = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const parts = ['#hall > header', '.hall-main', '.hall-notices', '#status'].map(name => [name, document.querySelector(name)])
    const inside = ['#clock', '#next', '#day table', '.hall-sessions', '#pinned', '#notice'].map(name => [name, document.querySelector(name)])
    const found = []
    for (const [name, part] of [...parts, ...inside]) {
      const { top, bottom, left, right } = part.getBoundingClientRect()
      if (top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1) found.push(name + ' sticks out')
    }
    for (const [index, [name, part]] of parts.entries()) {
      const next = parts[index + 1]?.[1]
      if (next && part.getBoundingClientRect().bottom > next.getBoundingClientRect().top + 1) found.push(name + ' covers what is below')
    }
    const main = document.querySelector('.hall-main')
    if (main.scrollHeight > main.clientHeight + 1) found.push('.hall-main is too small for its times')
    for (const notice of document.querySelectorAll('.hall-notice'))
      if (notice.scrollHeight > notice.clientHeight + 1) found.push('cut off: ' + notice.textContent)
    return found
  })()`)

const dress = async (name: string, settings: Readonly<Record<string, unknown>>): Promise<void> => {
  await database().run(sql`
    update minaret.screens set settings = ${JSON.stringify({ dark_minutes: 0, logo: LOGO, ...settings })}
    where name = ${name}`)
}

test('the longest table, announcements, a janazah with its place, events, own colours and logo fit in every look', {
  skip: noBrowser,
}, async () => {
  await inContext(browser(), {}, async ({ page }) => {
    const tokens = await pairScreen(minaret(), masjid.keeper, 'Dressed')
    await dress('Dressed', {})
    await enterHall(minaret(), page, tokens)
    await page.locator('body[data-part=hall]').waitFor()
    // The logo shows once it was fetched, and not before.
    assert.equal(await page.locator('#logo').isVisible(), false)
    await database().run(sql`
      update minaret.images set state = 'fetched', reason = null, status = null,
        content = ${logo}, content_type = 'image/png' where address = ${LOGO}`)
    await page.locator('#logo').waitFor()
    await within(30_000, 'the logo is drawn', () =>
      page.evaluate("document.querySelector('#logo').complete && document.querySelector('#logo').naturalWidth > 0"),
    )
    await page.locator('#notice').filter({ hasText: 'Tafsir halaqah' }).waitFor()
    assert.match((await page.locator('#notice').textContent()) ?? '', /19:30 · Library/)
    for (const [name, { viewport, settings }] of Object.entries(looks)) {
      await page.setViewportSize(viewport)
      await dress('Dressed', settings)
      await page.locator(`html[lang=${settings.language.slice(0, 2)}][style*="${settings.accent}"]`).waitFor()
      // Sizes follow within a second.
      await within(20_000, `everything has its place: ${name}`, async () => (await misplaced(page)).length === 0)
      await takeScreenshot(page, `screen-${name}`)
      assert.deepEqual(await accessibilityFaults(page), [], name)
      assert.match(
        (await page.locator('#pinned').textContent()) ?? '',
        /Musalla of the cemetery.*Oakwood Cemetery/s,
        name,
      )
    }
  })
})

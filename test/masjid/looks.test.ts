// Masjid page, widget, finder and the page for an unknown address in real Chromium: both languages, phone and desktop, light and dark.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { Masjid } from '../staff/use-staff.ts'
import { faultsInLook, inPage, looks, noBrowser, openedLooks, takeScreenshot, useBrowser } from '../support/browser.ts'
import { useMinaret } from '../support/minaret.ts'
import { answerAsGuest, guestFields, type Held, holdEvent, linkTo } from './use-guests.ts'
import { announce, makeShownMasjid } from './use-masjid-page.ts'

const LICENCE = `Open Database License 1.0, https://example.org/${'licences/'.repeat(12)}odbl; © Mappers of Example`

describe('public pages', { skip: noBrowser }, () => {
  const minaret = useMinaret()
  const browser = useBrowser()
  let masjid: Masjid
  let held: Held
  let closed: Held
  let link: string

  before(async () => {
    masjid = await makeShownMasjid(minaret(), { verified: false })
    await minaret().service.database.run(sql`
      insert into up_masjid_origins (masjid_id, source, source_id, licence, content_hash, written_version)
      values (${masjid.id}, 'Map of Example', 'x', ${LICENCE}, 'x', 1)`)
    await announce(minaret(), masjid, {
      title: 'Car park closed on Friday',
      body: 'Please come by bus.',
      arabic: 'الموقف مغلق يوم الجمعة',
      urgent: true,
    })
    await announce(minaret(), masjid, { title: 'Janazah: Ahmad Saleh', kind: 'janazah' })
    await announce(minaret(), masjid, { title: 'Arabic classes start in December' })
    held = await holdEvent(minaret(), { capacity: 40 })
    closed = await holdEvent(minaret(), { guests: false })
    await answerAsGuest(minaret(), held, guestFields('guest@example.org'))
    link = await linkTo(minaret(), 'guest@example.org')
  })

  for (const look of openedLooks)
    test(`have no accessibility violations and fit the screen: ${look}`, () =>
      inPage(browser(), looks[look], async page => {
        const pages = {
          page: `/m/${masjid.slug}`,
          widget: `/m/${masjid.slug}/widget`,
          find: '/find?q=larkspur',
          unknown: '/m/larkspur-lane',
          answer: held.path,
          members: closed.path,
          confirm: link,
        }
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(minaret().baseUrl + path)
          assert.deepEqual(await faultsInLook(page, look), [], `${name}, ${look}`)
          await takeScreenshot(page, `masjid-public-${name}-${look}`)
        }
      }))
})

// A month on one A4 page in every style and language, and pictures and texts to share.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../../src/db/sql.ts'
import { accessibilityFaults, inPage, looks, noBrowser, takeScreenshot, useBrowser } from '../../support/browser.ts'
import { insertRule } from '../../support/iqamah.ts'
import { useMinaret } from '../../support/minaret.ts'
import { decodeHtml } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { enterAs, type Masjid, makeMasjid, makeStaff, visitAs } from '../use-staff.ts'

const keep = (name: string, bytes: Buffer): void => {
  if (process.env.SCREENSHOTS === 'on') writeFileSync(`screenshots/${name}`, bytes)
}

/** Chromium writes page objects in the clear. */
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

/** Nothing of the sheet is wider or higher than the paper. */
const cutOff = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const sheet = document.querySelector('.sheet')
    const box = sheet.getBoundingClientRect()
    const out = [...sheet.querySelectorAll('h1, p, th, td, li')].filter(element => {
      const inner = element.getBoundingClientRect()
      return inner.right > box.right - 8 || inner.left < box.left + 8 || inner.bottom > box.bottom - 8
        || element.scrollWidth > element.clientWidth + 1
    })
    return out.map(element => element.textContent).join('|')
  })()`)

describe('printing and sharing', () => {
  const minaret = useMinaret()
  const browser = useBrowser()
  const database = () => minaret().service.database
  const today = new Date().toISOString().slice(0, 10)

  const prepare = async (): Promise<Masjid> => {
    const masjid = await makeMasjid(database(), { name: 'Larkspur Lane Masjid & Community Centre' })
    await database().run(sql`update up_masjids set name_ar = 'مسجد شارع القُبَّرة' where id = ${masjid.id}`)
    await fillDays(database(), { from: new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10), days: 140 })
    for (const prayer of ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha', 'taraweeh'])
      await insertRule(database(), masjid.id, { prayer, rule: 'rounded_offset', offset_minutes: 12, round_to: 5 })
    for (const session of [1, 2, 3])
      await insertRule(database(), masjid.id, {
        prayer: 'jumuah',
        session,
        rule: 'fixed',
        fixed_time: `1${session + 2}:15`,
        khutbah_minutes: 25,
      })
    await database().run(
      sql`update pc_iqamah_schedules set imam = 'Sh. Yusuf' where masjid_id = ${masjid.id} and session = 2`,
    )
    return masjid
  }

  test('a month and Ramadan fit one A4 page in every style and language', { skip: noBrowser }, async () => {
    const masjid = await prepare()
    const user = await makeStaff(database(), { masjid, capabilities: ['times'] })
    await inPage(browser(), { ...looks.light, baseURL: minaret().baseUrl }, async page => {
      await enterAs(minaret(), page, user)
      for (const month of [nextLongMonth(), 'ramadan'])
        for (const style of ['classic', 'modern', 'plain'])
          for (const language of ['en', 'ar', 'both']) {
            const name = `${month === 'ramadan' ? month : 'month'}-${style}-${language}`
            const query = new URLSearchParams({ month, style, language, imsak: 'm10', others: 'night', clock: 'h12' })
            await page.goto(`/staff/${masjid.slug}/print/sheet?${query}`)
            assert.equal(await cutOff(page), '', name)
            const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
            assert.equal(pagesOf(pdf), 1, name)
            assert.match(pdf.toString('latin1'), /\/MediaBox\s*\[0 0 59[45](\.\d+)? 84[12]/, name)
            if (style === 'classic' || language === 'both') await takeScreenshot(page, `sheet-${name}`)
          }
    })
  })

  test('imsak and parts of the night are columns where they were chosen', async () => {
    const masjid = await prepare()
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const month = nextLongMonth()
    const day = await database().first<Record<'imsak' | 'midnight' | 'last_third', string>>(sql`
      select to_char(public.local_time(public.pc_calculated_times_imsak(day), 'America/New_York'), 'HH24:MI') as imsak,
        to_char(public.local_time(midnight, 'America/New_York'), 'HH24:MI') as midnight,
        to_char(public.local_time(last_third, 'America/New_York'), 'HH24:MI') as last_third
      from public.pc_calculated_times day where masjid_id = ${masjid.id} and date = ${`${month}-01`}::date`)
    const sheet = async (others: string, more: Record<string, string> = {}): Promise<string> => {
      const query = new URLSearchParams({ month, others, ...more })
      return decodeHtml((await person.get(`/staff/${masjid.slug}/print/sheet?${query}`)).text)
    }
    const cells = async (others: string): Promise<string[]> => {
      const [, row = ''] = (await sheet(others)).split('<tbody>')
      return [...(row.split('</tr>')[0] ?? '').matchAll(/<td class="[^"]*">([^<]*)</g)].map(([, cell = '']) => cell)
    }
    const none = await cells('none')
    const [hijri = '', ...prayers] = none
    assert.deepEqual(await cells('imsak'), [hijri, day?.imsak, ...prayers])
    assert.deepEqual(await cells('night'), [hijri, day?.imsak, ...prayers, day?.midnight, day?.last_third])
    assert.deepEqual(await cells('<script>'), none)
    assert.match(await sheet('night'), /Imsak.*Midnight.*Last third/s)
    assert.match(await sheet('night', { language: 'ar' }), /الإمساك.*منتصف الليل.*الثلث الأخير/s)
    for (const imsak of ['none', 'm15'])
      assert.equal((await sheet('night', { month: 'ramadan', imsak })).split('>Imsak<').length - 1, 1)
  })

  test('the page is accessible and fits a phone', { skip: noBrowser }, async () => {
    const masjid = await prepare()
    const user = await makeStaff(database(), { masjid, capabilities: ['times'] })
    for (const [look, language] of [
      ['phone', 'en'],
      ['arabic-phone', 'ar'],
    ] as const)
      await inPage(browser(), { ...looks[look], baseURL: minaret().baseUrl }, async page => {
        await enterAs(minaret(), page, user, language)
        await page.goto(`/staff/${masjid.slug}/print`)
        await page.waitForFunction('[...document.images].every(image => image.naturalWidth > 0)')
        await takeScreenshot(page, `print-${look}`)
        assert.deepEqual(await accessibilityFaults(page), [])
      })
  })

  test('pictures are PNG of the right size, and SVG without script', async () => {
    const masjid = await prepare()
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sizes = { day: [1080, 1350], month: [1240, 1754] }
    for (const kind of ['day', 'month'] as const)
      for (const language of ['en', 'ar']) {
        const path = `/staff/${masjid.slug}/print/picture.png?kind=${kind}&language=${language}&month=${nextLongMonth()}&date=${today}`
        const response = await fetch(new URL(path, minaret().baseUrl), { headers: { cookie } })
        assert.equal(response.headers.get('content-type'), 'image/png')
        const png = Buffer.from(await response.arrayBuffer())
        assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], sizes[kind])
        keep(`share-${kind}-${language}.png`, png)
      }
    await database().run(sql`update up_masjids set name = '<script>alert(1)</script>' where id = ${masjid.id}`)
    const svg = await person.get(`/staff/${masjid.slug}/print/picture.svg?kind=day&language=en`)
    assert.equal(svg.headers.get('content-type'), 'image/svg+xml')
    assert.doesNotMatch(svg.text, /<script/)
    assert.match(svg.headers.get('content-security-policy') ?? '', /sandbox/)
  })

  test('texts name every prayer of the day in both languages', async () => {
    const masjid = await prepare()
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const text = decodeHtml((await person.get(`/staff/${masjid.slug}/print`)).text)
    assert.match(text, /\*Larkspur Lane Masjid & Community Centre\*/)
    assert.match(text, /Isha: Adhan \d\d:\d\d, Iqamah \*\d\d:\d\d\*/)
    assert.match(text, /العشاء: الأذان .+، الإقامة \*.+\*/)
    assert.match(text, /https:\/\/wa\.me\/\?text=%2ALarkspur|https:\/\/wa\.me\/\?text=\*Larkspur/)
  })

  test('is for those who look after times', async () => {
    const masjid = await prepare()
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['people'] }))
    for (const path of ['', '/sheet', '/picture.png', '/picture.svg'])
      assert.equal((await person.get(`/staff/${masjid.slug}/print${path}`)).status, 403)
  })
})

/** The next month of 31 days that is calculated in these tests. */
function nextLongMonth(): string {
  const now = new Date()
  for (let ahead = 1; ; ahead += 1) {
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 0))
    if (last.getUTCDate() === 31) return last.toISOString().slice(0, 7)
  }
}

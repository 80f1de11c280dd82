// A name in another direction must not turn the words around it: wherever a stored text is shown, it is isolated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillPlaces } from '../../../src/accounts/mail-line.ts'
import { sql } from '../../../src/db/sql.ts'
import { fillTitle } from '../../../src/site/pieces/fill.ts'
import { makeEveryPage } from '../../console/every-page.ts'
import { makeStaff, visitAs } from '../../staff/use-staff.ts'
import { insertEvent } from '../../support/events.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { useMinaret } from '../../support/minaret.ts'
import type { Person } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

/** Hebrew, which no text of ours contains. */
const MARK = 'נור'

/** By browsers themselves, by an element of its own, or by marks. */
const isolated = [
  /<(title|textarea|option|script|style|svg)\b[\s\S]*?<\/\1>/g,
  /<(bdi|output|code|kbd)\b[^>]*>[\s\S]*?<\/\1>/g,
  /<(\w+)\b[^>]*\bdir="(?:auto|ltr|rtl)"[^>]*>(?:(?!<\1\b)[\s\S])*?<\/\1>/g,
  /\u2068[^\u2069]*\u2069/g,
]

/** The places where a stored text stands unprotected among other words. */
const openPlaces = (page: string): string[] => {
  const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'))
  const rest = isolated.reduce((text, pattern) => text.replaceAll(pattern, ''), main)
  const words = rest.replaceAll(/<[a-z][^>]*>/gi, tag => tag.replaceAll(MARK, ''))
  return [...words.matchAll(new RegExp(`.{0,80}${MARK}.{0,40}`, 'gs'))].map(([found]) => found)
}

const markNames = async (): Promise<void> => {
  const end = ` ${MARK}`
  await database().run(sql`update minaret.apps set name = name || ${end}`)
  await database().run(sql`update minaret.users set name = name || ${end}`)
  await database().run(sql`update minaret.api_keys set name = name || ${end}`)
  await database().run(sql`update minaret.webhook_endpoints set description = description || ${end}`)
  await database().run(sql`update public.up_masjids set name = name || ${end}, city = city || ${end}`)
  await database().run(sql`update public.up_events set title = title || ${end}`)
}

const staffPages = [
  '',
  '/team',
  '/events',
  '/people',
  '/details',
  '/screens',
  '/announcements',
  '/giving',
  '/times',
  '/week',
]

test('on every page of accounts, console, review, administration and staff', async () => {
  const every = await makeEveryPage(database())
  const masjidId = await insertMasjid(database())
  await insertEvent(database(), masjidId)
  await markNames()
  const row = await database().first<{ slug: string }>(sql`select slug from public.up_masjids where id = ${masjidId}`)
  const slug = row?.slug ?? ''
  const worker = await makeStaff(database(), { masjid: { id: masjidId, slug }, role: 'admin' })
  const found: string[] = []
  let marked = 0
  const look = async (person: Person, pages: readonly string[]): Promise<void> => {
    for (const page of pages) {
      const { text } = await person.get(page)
      if (text.includes(MARK)) marked += 1
      found.push(...openPlaces(text).map(place => `${page}: ${place.replaceAll(/\s+/g, ' ')}`))
    }
  }
  const own = ['/account', '/account/apps', '/account/activity', '/account/security']
  await look(await visitAs(minaret(), every.owner), [...own, ...Object.values(every.ownerPages)])
  await look(await visitAs(minaret(), every.reviewer), Object.values(every.reviewerPages))
  await look(await visitAs(minaret(), every.admin), Object.values(every.adminPages))
  await look(await visitAs(minaret(), worker), [...staffPages.map(page => `/staff/${slug}${page}`), `/m/${slug}`])
  assert.deepEqual(found, [])
  assert.ok(marked > 60, `${marked} pages show a name`)
})

test('in titles and mails, where there are no elements', () => {
  const filled = `\u2068Salah ${MARK}!\u2069`
  assert.equal(fillTitle('Delete {app}?', { app: `Salah ${MARK}!` }), `Delete ${filled}?`)
  assert.equal(fillPlaces('{app} (2) is suspended.', { app: `Salah ${MARK}!` }), `${filled} (2) is suspended.`)
  assert.equal(fillPlaces('أُوقف {app} (2).', { app: 'Salah!' }), 'أُوقف \u2068Salah!\u2069 (2).')
  assert.equal(fillPlaces('أُوقف {app} (2).', { app: 'صلاة!' }), 'أُوقف صلاة! (2).', 'nothing to isolate')
  assert.equal(fillPlaces('{app} is suspended.', { app: 'Salah!' }), 'Salah! is suspended.')
  const link = `https://id.example.org/x?name=${MARK}`
  assert.equal(fillPlaces('See {link}', { link }), `See ${link}`, 'mail programs find the end of a link')
})

// A masjid that was imported says on its page from where, and under which licence: to people in every language, and to programs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'
import { linksOf, textOf } from './use-masjid-page.ts'

const minaret = useMinaret()
const LICENCE = 'Open Database License 1.0 (https://example.org/odbl). © Mappers of Example'

const insertFrom = async (source: string | undefined, licence = LICENCE): Promise<string> => {
  const { database } = minaret().service
  const id = await insertMasjid(database)
  if (source !== undefined)
    await database.run(sql`
      insert into up_masjid_origins (masjid_id, source, source_id, licence, content_hash, written_version)
      values (${id}, ${source}, ${id}, ${licence}, 'x', 1)`)
  return (await database.first<{ slug: string }>(sql`select slug from up_masjids where id = ${id}`))?.slug ?? ''
}

/** As people read it. */
const lineOf = (page: string): string | undefined =>
  /<p class="[^"]*\borigin\b[^"]*">(.*?)<\/p>/s
    .exec(page)?.[1]
    ?.replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

const pageNodeOf = (page: string) => {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  return JSON.parse(text)['@graph'].find((node: { '@type': unknown }) => node['@type'] === 'WebPage')
}

test('the page names the directory and the words of its licence, in each language', async () => {
  const slug = await insertFrom('Map of Example')
  const english = await textOf(minaret(), `/m/${slug}?lang=en`)
  assert.equal(
    lineOf(english),
    `Details of this masjid come from Map of Example, and may have been edited since. Licence: ${LICENCE}`,
  )
  assert.ok(linksOf(english).includes('https://example.org/odbl'))
  const arabic = lineOf(await textOf(minaret(), `/m/${slug}?lang=ar`)) ?? ''
  assert.ok(arabic.includes('Map of Example') && arabic.includes(LICENCE) && arabic.includes('الترخيص'), arabic)
})

test('JSON-LD says the same of the page', async () => {
  const slug = await insertFrom('Map of Example')
  const { baseUrl } = minaret()
  assert.deepEqual(pageNodeOf(await textOf(minaret(), `/m/${slug}`)), {
    '@type': 'WebPage',
    '@id': `${baseUrl}/m/${slug}`,
    mainEntity: { '@id': `${baseUrl}/m/${slug}#masjid` },
    isBasedOn: {
      '@type': 'Dataset',
      name: 'Map of Example',
      license: 'https://example.org/odbl',
      creditText: LICENCE,
    },
  })
})

test('a masjid that was registered here says nothing of it', async () => {
  const page = await textOf(minaret(), `/m/${await insertFrom(undefined)}`)
  assert.equal(lineOf(page), undefined)
  assert.equal(pageNodeOf(page), undefined)
})

test('what an operator wrote is text: no markup, and no link to what pages do not link to', async () => {
  const licence = '<b onclick=x>None</b> javascript:alert(1) https://a@example.org/ "quoted" http://example.org/plain'
  const page = await textOf(minaret(), `/m/${await insertFrom('</p><script>alert(1)</script>', licence)}`)
  assert.ok(lineOf(page)?.includes(licence))
  assert.doesNotMatch(page, /<script>alert|<b onclick/)
  for (const link of linksOf(page)) assert.doesNotMatch(link, /javascript|a@example|example\.org\/plain/)
})

test('a licence that changed is on the page at once, also where the page was kept', async () => {
  const slug = await insertFrom('Map of Example')
  for (let visit = 0; visit < 3; visit += 1) await textOf(minaret(), `/m/${slug}`)
  await minaret().service.database.run(sql`
    update up_masjid_origins set licence = 'CC0' from up_masjids masjid where masjid.id = masjid_id and slug = ${slug}`)
  assert.match(lineOf(await textOf(minaret(), `/m/${slug}`)) ?? '', /Licence: CC0$/)
})

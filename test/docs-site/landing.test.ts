import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'
import { ask } from '../support/sandbox.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })

const landing = async (language = 'en'): Promise<string> => {
  const response = await fetch(minaret().baseUrl, { headers: { 'accept-language': language } })
  assert.equal(response.status, 200)
  return response.text()
}

interface Row {
  readonly iqamah_at: string
  readonly masjid: { readonly name: string }
}

test('the landing page has an answer in it: today’s times of a masjid, as the sandbox says them', async () => {
  const html = await landing()
  const [today = ''] = /(?<=<time datetime=")\d{4}-\d\d-\d\d(?=")/.exec(html) ?? []
  const query = `{ pc_prayer_times(where: {date: {_eq: "${today}"}, prayer: {_neq: jumuah}, masjid: {slug: {_eq: "larkspur-lane-masjid"}}}) { iqamah_at masjid { name } } }`
  const { data } = await ask(minaret().sandboxUrl, { query })
  const rows = data?.pc_prayer_times as readonly Row[]
  assert.ok(rows.length >= 5)
  for (const { iqamah_at, masjid } of rows) {
    assert.ok(html.includes(`<time datetime="${new Date(iqamah_at).toISOString()}">`), iqamah_at)
    assert.ok(html.includes(masjid.name))
  }
  assert.match(html, /<pre id="answer".*Chicago.*<\/pre>/s)
})

test('the map has a dot for every city of the sandbox, says so in words, and asks nobody else', async () => {
  const { sandboxUrl } = minaret()
  const { data } = await ask(sandboxUrl, {
    query:
      '{ up_masjids_aggregate(group_by: [city, country]) { groups { keys { city country } aggregate { count } } } }',
  })
  const { groups } = (data?.up_masjids_aggregate ?? { groups: [] }) as {
    groups: { keys: { city: string; country: string }; aggregate: { count: number } }[]
  }
  const html = await landing()
  const [map = ''] = /<section class="masjid-map".*?<\/section>/s.exec(html) ?? []
  assert.equal(map.match(/<circle /g)?.length, groups.length)
  for (const { keys, aggregate } of groups)
    assert.ok(map.includes(`<title>${keys.city}: ${aggregate.count}</title>`), keys.city)
  const total = groups.reduce((sum, { aggregate }) => sum + aggregate.count, 0)
  assert.ok(map.includes(`aria-label="Map of the world: ${total} masjids in `))
  assert.match(map, /<li>United States: 80<\/li>/)
  assert.match(await landing('ar'), /<li>الولايات المتحدة: (80|٨٠)<\/li>/)
  for (const [, source = ''] of html.matchAll(/(?:src|href|action)="(https?:[^"]*)"/g))
    assert.ok(source.startsWith(minaret().baseUrl) || source.startsWith(sandboxUrl), source)
  const [, picture = ''] = /<image href="([^"]+)"/.exec(map) ?? []
  const land = await fetch(minaret().baseUrl + picture)
  assert.match(land.headers.get('cache-control') ?? '', /immutable/)
  assert.match(await land.text(), /<path [^>]*d="M/)
})

test('three ways lead on: a query that is ready, the guide to sign people in, and the command that starts it', async () => {
  const html = await landing()
  const [ways = ''] = /<ul class="plain-list ways">.*?<\/ul>/s.exec(html) ?? []
  const links = [...ways.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&#61;', '='))
  assert.deepEqual(links, ['/explorer?example=todays-times', '/docs/authorization-code'])
  assert.match(await (await fetch(minaret().baseUrl + links[0])).text(), /pc_prayer_times/)
  assert.match(ways, /<code>npm start<\/code>/)
})

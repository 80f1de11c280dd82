// Every tool, feed, page, form and upload is sent values that are meant to make work without end. A bystander asks all the while, and no
// answer is a fault of ours.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Capability } from '../../../src/capabilities/staffed-masjids.ts'
import { publicTestKey } from '../../../src/sandbox/public-test-key.ts'
import { send, sendCall } from '../../mcp/use-mcp.ts'
import { makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { sampleOf } from '../../support/holds.ts'
import { useMinaret } from '../../support/minaret.ts'
import { decodeHtml, type Person } from '../../support/person.ts'
import { rounds } from '../../support/rounds.ts'
import { type Bystander, startBystander } from '../bystander.ts'
import { hostileFile, hostileJson, hostileText } from '../hostile-values.ts'

const all: readonly Capability[] = ['times', 'events', 'announcements', 'people', 'giving', 'screens', 'capabilities']
/** Of each target. */
const TRIES = rounds(2, 10)

const listOf = (length: number): fc.Arbitrary<string[]> =>
  fc.array(hostileText, { minLength: length, maxLength: length })

interface Form {
  readonly action: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly takesFile: boolean
}

const formsOf = (page: string): Form[] =>
  (page.match(/<form[\s\S]*?<\/form>/g) ?? [])
    .filter(form => /method="post"/.test(form))
    .map(form => ({
      action: decodeHtml(/action="([^"]*)"/.exec(form)?.[1] ?? ''),
      fields: [...form.matchAll(/<(?:input|select|textarea)[^>]*? name="([^"]*)"([^>]*)/g)].map(
        ([, name = '', rest = '']) => [decodeHtml(name), decodeHtml(/ value="([^"]*)"/.exec(rest)?.[1] ?? '')] as const,
      ),
      takesFile: /type="file"/.test(form),
    }))

const linksOf = (page: string, below: string): string[] =>
  [...page.matchAll(/ href="([^"#]*)/g)].map(([, href = '']) => decodeHtml(href)).filter(href => href.startsWith(below))

describe('whatever is sent', () => {
  const minaret = useMinaret({ SANDBOX_DATA: 'on' })
  let person: Person
  let slug: string
  /** Of the sandbox. */
  let invented: { readonly id: string; readonly slug: string }
  before(async () => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    slug = masjid.slug
    const masjids = await fetch(`${minaret().sandboxUrl}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id slug } }' }),
    })
    const { data } = (await masjids.json()) as { data: { up_masjids: [typeof invented] } }
    invented = data.up_masjids[0]
    person = await visitAs(minaret(), await makeStaff(database, { masjid, role: 'admin', capabilities: all }))
  })

  /** Fails for an answer that is a fault of ours. */
  const sendTo = async (bystander: Bystander, what: string, sent: () => Promise<{ status: number }>): Promise<void> => {
    const { status } = await bystander.during(what, sent)
    assert.ok(status < 500 || status === 503, `${what}: ${status}`)
  }

  test('to tools', async () => {
    const bystander = await startBystander(minaret())
    const url = minaret().sandboxUrl
    const listed = await send(url, { method: 'tools/list' }, { token: publicTestKey })
    const { result } = (await listed.json()) as {
      result: { tools: { name: string; inputSchema: { properties?: Record<string, object> } }[] }
    }
    assert.ok(result.tools.length > 5)
    for (const { name, inputSchema } of result.tools) {
      const properties = Object.entries(inputSchema.properties ?? {})
      const given = fc.record(Object.fromEntries(properties.map(([key, schema]) => [key, hostileJson(schema)])), {
        requiredKeys: [],
      })
      for (const values of sampleOf(given, TRIES * 3)) {
        const sent = 'masjid' in (inputSchema.properties ?? {}) ? { ...values, masjid: invented.slug } : values
        await sendTo(bystander, `${name} ${JSON.stringify(sent)}`, async () => {
          const response = await sendCall(url, name, sent, publicTestKey)
          const text = await response.text()
          assert.doesNotMatch(text, /internal error/i, text.slice(0, 500))
          return response
        })
      }
    }
    bystander.finish()
  })

  test('to feeds and pages', async () => {
    const { baseUrl, sandboxUrl } = minaret()
    const places = [
      `${sandboxUrl}/v1/masjids/{id}/prayer-times.ics?from={}&days={}`,
      `${sandboxUrl}/v1/masjids/{id}/prayer-times.csv?days=400&from={}`,
      `${sandboxUrl}/v1/masjids/{id}/events.ics?from={}&days={}&from={}`,
      `${sandboxUrl}/v1/masjids/{}/events.csv`,
      `${sandboxUrl}/v1/schema.graphql?x={}`,
      `${baseUrl}/m/${slug}?month={}&lang={}`,
      `${baseUrl}/m/{}/og.png`,
      `${baseUrl}/m/${slug}/widget?theme={}&times={}`,
      `${baseUrl}/m/${slug}/prayer-times.ics?days={}`,
      `${baseUrl}/m/${slug}/events.ics?from={}`,
      `${baseUrl}/find?q={}&near={}&latitude={}&longitude={}&jumuah={}`,
      `${baseUrl}/docs/search?q={}`,
      `${baseUrl}/docs/{}`,
      `${baseUrl}/sitemap-{}.xml`,
      `${baseUrl}/oauth/authorize?client_id={}&redirect_uri={}&state={}&max_age={}&scope={}`,
      `${baseUrl}/device?user_code={}`,
      `${baseUrl}/confirm?token={}`,
      `${baseUrl}/screen?{}={}`,
    ]
    const bystander = await startBystander(minaret())
    for (const place of places)
      for (const values of sampleOf(listOf(5), TRIES)) {
        const left = [...values]
        const url = place
          .replace('{id}', invented.id)
          .replaceAll('{}', () => encodeURIComponent((left.shift() ?? '').toWellFormed().slice(0, 2000)))
        await sendTo(bystander, url, () => fetch(url, { redirect: 'manual' }))
      }
    bystander.finish()
  })

  /** Pages that can be reached from there, in three steps. */
  const crawl = async (start: string, below: string): Promise<Map<string, string>> => {
    const pages = new Map<string, string>()
    let links = [start]
    for (let step = 0; step < 3; step += 1) {
      const next: string[] = []
      for (const path of new Set(links)) {
        if (pages.has(path) || /sign-out|\.(png|svg|ics|csv|zip)\b/.test(path)) continue
        const { status, text } = await person.get(path)
        if (status === 200) pages.set(path, text)
        next.push(...linksOf(text, below))
      }
      links = next
    }
    return pages
  }

  test('to forms of staff, with files', async () => {
    const pages = await crawl(`/staff/${slug}`, `/staff/${slug}`)
    const forms = [...pages.values()].flatMap(formsOf).filter(({ action }) => action.startsWith('/staff/'))
    const distinct = [...new Map(forms.map(form => [form.action, form])).values()]
    assert.ok(distinct.length > 8, `${distinct.length} forms`)
    const bystander = await startBystander(minaret())
    for (const { action, fields, takesFile } of distinct)
      for (const [values, file] of sampleOf(fc.tuple(listOf(fields.length), hostileFile), TRIES)) {
        const body = new FormData()
        for (const [index, [name, value]] of fields.entries())
          body.append(
            name,
            name === 'anti_forgery' || (index % 3 === 0 && value !== '') ? value : (values[index] ?? ''),
          )
        if (takesFile) {
          body.set('sheet', new Blob([file]), 'times.ics')
          await sendTo(bystander, `${action} with a file of ${file.length}`, () => person.send(action, body))
        } else
          await sendTo(bystander, `${action} ${values.join('|').slice(0, 300)}`, () =>
            person.post(action, Object.fromEntries([...body].map(([name, value]) => [name, String(value)]))),
          )
      }
    bystander.finish()
  })
})

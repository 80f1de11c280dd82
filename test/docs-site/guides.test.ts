import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from '../../src/db/sql.ts'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { settled } from '../changes/settled.ts'
import { follow } from '../live/events.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { holdOccurrence } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'
import { getCode, getTokens, makeClient, makeFlow } from '../support/oauth.ts'
import { ask } from '../support/sandbox.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const folder = new URL('../../docs/guides/', import.meta.url)
const guides = readdirSync(folder).map(name => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))

const queries = guides.flatMap(({ name, text }) =>
  [...text.matchAll(/```graphql( relay| live)?\n(.*?)```/gs)].map((match, index) => ({
    title: `${name}, block ${index + 1}`,
    path: match[1] === ' relay' ? '/v1/relay' : '/v1/graphql',
    live: match[1] === ' live',
    query: match[2] ?? '',
  })),
)

const someMasjid = async (): Promise<string> => {
  const { data } = await ask(minaret().sandboxUrl, { query: '{ up_masjids(limit: 1) { id } }' })
  return (data?.up_masjids as { id: string }[] | undefined)?.[0]?.id ?? ''
}

/** A day with late evenings, within the 400 that are calculated. */
const nextMidsummer = (): string => {
  const today = new Date().toISOString().slice(0, 10)
  const thisYear = `${today.slice(0, 4)}-06-21`
  return today <= thisYear ? thisYear : `${Number(today.slice(0, 4)) + 1}-06-21`
}

/** Whether a response has rows, and each nested list has some in at least one row. */
const hasRows = (value: unknown): boolean => {
  if (Array.isArray(value)) {
    const names = new Set(value.flatMap(row => (row === null || typeof row !== 'object' ? [] : Object.keys(row))))
    return value.length > 0 && [...names].every(name => value.some(row => hasRows(row[name])))
  }
  if (value !== null && typeof value === 'object') return Object.values(value).every(hasRows)
  return value !== 0
}

/** A cursor of the sandbox, and a change after it. */
const cursorBeforeChange = async (): Promise<string> => {
  const { data } = await ask(minaret().sandboxUrl, { query: '{ up_changes(limit: 1) { cursor } }' }, publicTestKey)
  const { database } = minaret().service
  await database.run(sql`insert into changes.log (table_name, kind) values ('sandbox.up_events', 'bulk')`)
  await settled(database)
  return (data?.up_changes as { cursor: string }[] | undefined)?.[0]?.cursor ?? ''
}

/** The first result of a subscription. */
const followOnce = async (query: string, variables: Record<string, unknown>) => {
  const followed = await follow({ url: `${minaret().sandboxUrl}/v1/graphql`, key: publicTestKey, query, variables })
  const first = await followed.until(1)
  await followed.close()
  return first
}

test('every query in the guides returns rows in the sandbox', async () => {
  const masjid = await someMasjid()
  const values = {
    offset: 0,
    from: await cursorBeforeChange(),
    after: '00000000-0000-0000-0000-000000000000',
    since: '2020-01-01T00:00:00Z',
    date: nextMidsummer(),
    late: `${nextMidsummer()}T21:30:00`,
    masjid,
    city: 'Toronto',
    event: { masjid_id: masjid, title: 'Iftar', starts_local: '2027-02-20T18:00:00', timezone: 'UTC' },
  }
  assert.ok(queries.length > 8)
  for (const { title, path, live, query } of queries) {
    const variables = Object.fromEntries(
      Object.entries(values).filter(([name]) => new RegExp(`\\$${name}\\b`).test(query)),
    )
    const { data, errors } = live
      ? await followOnce(query, variables)
      : await ask(minaret().sandboxUrl, { query, variables }, publicTestKey, path)
    assert.equal(errors, undefined, `${title}: ${JSON.stringify(errors)}`)
    assert.ok(hasRows(data), `${title}: ${JSON.stringify(data)}`)
  }
})

const page = async (path: string): Promise<string> => {
  const response = await fetch(minaret().baseUrl + path)
  assert.equal(response.status, 200, path)
  return response.text()
}

/** Links to our own pages. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(match => (match[1] ?? '').replaceAll('&#61;', '=').replaceAll('&#38;', '&').replaceAll('&amp;', '&'))
    .map(href => href.replace(minaret().baseUrl, ''))
    .filter(href => href.startsWith('/'))

const isOurs = (path: string): boolean => path === '/' || /^\/(docs|explorer|assets)/.test(path)

test('every link of the landing page and the documentation works, and every linked heading exists', async () => {
  const pages = new Map<string, string>()
  const open = ['/']
  for (let link = open.shift(); link !== undefined; link = open.shift()) {
    const path = link.split(/[?#]/)[0] ?? ''
    if (pages.has(path) || !isOurs(path)) continue
    const html = await page(path)
    pages.set(path, html)
    if (!path.startsWith('/assets') && path !== '/explorer') open.push(...linksOf(html))
  }
  for (const [from, html] of pages)
    for (const link of linksOf(html)) {
      const [path = '', anchor] = link.split('#')
      if (anchor !== undefined && pages.has(path))
        assert.match(pages.get(path) ?? '', new RegExp(`id="${anchor}"`), `${from} → ${link}`)
    }
  assert.ok(pages.size > 30, `${pages.size} pages`)
  for (const { name } of guides) assert.ok(pages.has(`/docs/${name.replace('.md', '')}`), `${name} is linked`)
  for (const [path, text] of pages)
    if (path.startsWith('/docs')) assert.doesNotMatch(text, /localhost:300[01]|<!--/, path)
  for (const [path, html] of pages)
    if (path.startsWith('/docs') && !path.endsWith('.md'))
      for (const link of linksOf(html)) assert.ok(!/\.md(#|$)/.test(link) || link === `${path}.md`, `${path} → ${link}`)
})

test('every page is Markdown too, whose links lead to such files, and /llms.txt lists them all', async () => {
  const { baseUrl, sandboxUrl } = minaret()
  const listed = await page('/llms.txt')
  assert.match(listed, /^# Minaret\n\n> /)
  assert.ok(listed.includes(`${sandboxUrl}/v1/graphql`))
  const links = [...listed.matchAll(/\]\(([^)]+)\)/g)].map(match => match[1] ?? '')
  for (const { name } of guides) assert.ok(links.includes(`${baseUrl}/docs/${name}`), name)
  const known = new Set(links)
  for (const link of links) {
    const response = await fetch(link)
    assert.equal(response.status, 200, link)
    assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8')
    const text = await response.text()
    assert.match(text, /^# \S/, link)
    for (const [, to = ''] of text.matchAll(/\]\((\S+?)(?:#[^)]*)?\)/g)) {
      assert.match(to, /^(https?:|#|$)/, `${link} → ${to}`)
      if (to.endsWith('.md')) assert.ok(known.has(to), `${link} → ${to}`)
    }
  }
  const reference = await page('/docs/reference/up_masjids.md')
  assert.match(reference, /\| `timezone` \| `String!` \| Time zone/)
  assert.match(await page('/docs/reference/up_masjids'), /rel="alternate" type="text\/markdown"/)
  for (const missing of ['/docs/no-such-page.md', '/docs/reference/users.md', '/docs/reference/..%2ferror-codes.md'])
    assert.equal((await fetch(baseUrl + missing)).status, 404, missing)
})

test('the reference shows each table with its comment, scope, fields and relations', async () => {
  const html = await page('/docs/reference/up_masjids')
  for (const words of [
    'masjid:read',
    'where they are, what they offer',
    'Time zone, a name of the IANA database',
    'up_masjids_nearby',
    'distance_km',
    '/docs/reference/up_events',
  ])
    assert.ok(html.includes(words), words)
  assert.doesNotMatch(html, /deleted_at|search_document|@scope/)
  assert.equal((await fetch(`${minaret().baseUrl}/docs/reference/users`)).status, 404)
})

test('the search finds guides, fields and codes, tolerates typos, and shows the input as plain text', async () => {
  assert.match(await page('/docs/search?q=refresh+token'), /\/docs\/refresh-and-revoke/)
  assert.match(await page('/docs/search?q=iqamah_at'), /\/docs\/reference\/pc_prayer_times/)
  assert.match(await page('/docs/search?q=paginaton'), /\/docs\/pagination/)
  assert.match(await page('/docs/search?q=insufficient-scope'), /\/docs\/(error-codes|errors)/)
  const html = await page('/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E')
  assert.doesNotMatch(html, /<script>alert/)
  assert.match(html, /Nothing speaks of/)
})

test('a missing page gets 404', async () => {
  const response = await fetch(`${minaret().baseUrl}/docs/no-such-page`, { headers: { accept: 'text/html' } })
  assert.equal(response.status, 404)
  assert.match(response.headers.get('content-type') ?? '', /html/)
})

test('only the explorer has exceptions in its policy, and none for scripts', async () => {
  for (const path of ['/', '/docs', '/docs/first-query', '/docs/search?q=x']) {
    const policy = (await fetch(minaret().baseUrl + path)).headers.get('content-security-policy') ?? ''
    assert.doesNotMatch(policy, /unsafe|\*/, path)
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
  }
  for (const url of [`${minaret().baseUrl}/explorer`, `${minaret().sandboxUrl}/`]) {
    const policy = (await fetch(url)).headers.get('content-security-policy') ?? ''
    assert.match(policy, /script-src 'self'(;|$)/, url)
    assert.doesNotMatch(policy, /unsafe-eval|\*/)
  }
})

test('text from the URL stays text in the explorer', async () => {
  const evil = '</script><script>alert(1)</script>'
  for (const url of [`${minaret().baseUrl}/explorer`, `${minaret().sandboxUrl}/`]) {
    const html = await (await fetch(`${url}?query=${encodeURIComponent(evil)}`)).text()
    assert.ok(!html.includes('<script>alert'), url)
    assert.ok(html.includes('\\u003cscript>alert'), 'it is in the editor')
  }
})

const commands = guides.flatMap(({ name, text }) =>
  [...text.matchAll(/```sh\n(curl .*?)```/gs)].map(([, command = '']) => ({ name, command })),
)

/** An app that is every masjid's own, a masjid, and an event to change. */
const forWriting = async (): Promise<Record<string, string>> => {
  const { database } = minaret().service
  const scopes = ['events:read', 'events:write'] as const
  const app = await makeApp(database, { scopes, masjids: { only: '*', own: '*' } })
  const masjidId = await insertMasjid(database)
  const event = await database.first<{ id: string }>(sql`
    insert into public.up_events (masjid_id, title, starts_local, timezone) values (${masjidId}, 'Iftar', '2027-02-20', 'UTC')
    returning id`)
  return {
    'mk_live_…': (await makeKey(database, { appId: app.id, scopes })).key,
    MASJID_ID: masjidId,
    EVENT_ID: event?.id ?? '',
  }
}

/** Somebody who answers events through an app, and a date ahead. */
const forAnswering = async (): Promise<Record<string, string>> => {
  const { database } = minaret().service
  const scope = 'events:read events:write'
  const tokens = await getTokens(minaret(), await makeFlow(minaret(), { scopes: scope }), { scope })
  const occurrence = await holdOccurrence(database, await insertMasjid(database))
  return { PERSONS_TOKEN: tokens.access_token, OCCURRENCE_ID: occurrence }
}

/** Placeholder values: each command gets unused ones. */
const fillCommand = async (command: string): Promise<string> => {
  const running = minaret()
  const flow = await makeFlow(running)
  const { form } = await getCode(running, flow)
  const tokens = await getTokens(running, flow)
  const server = await makeClient(running.service.database, { kind: 'confidential' })
  const values: Record<string, string> = {
    'http://localhost:3000': running.baseUrl,
    'http://localhost:3001': running.sandboxUrl,
    THE_CODE: form.code ?? '',
    THE_VERIFIER: form.code_verifier ?? '',
    'https://your.app/callback': flow.app.redirectUri,
    YOUR_CLIENT_ID: flow.app.clientId,
    'eyJ…': tokens.access_token,
    'rt_…': String(tokens.refresh_token),
    $CLIENT_ID: server.clientId,
    $CLIENT_SECRET: server.secret,
    $TOKEN: tokens.access_token,
    ...(await forWriting()),
    ...(await forAnswering()),
  }
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), command)
}

test('every command in the guides works, with the placeholders filled in', async () => {
  assert.ok(commands.length >= 8, `${commands.length} commands`)
  for (const { name, command } of commands) {
    const filled = await fillCommand(command)
    assert.doesNotMatch(filled, /…|\$[A-Z]|YOUR_|THE_/, name)
    const { stdout } = await promisify(execFile)('sh', ['-euc', filled.replace('curl -s', 'curl -s --fail-with-body')])
    assert.doesNotMatch(stdout, /"errors?":/, `${name}: ${command}`)
  }
})

test('the overview says of every guide in a whole sentence what it is about', async () => {
  const { text } = await fetch(`${minaret().baseUrl}/docs`).then(async response => ({ text: await response.text() }))
  const summaries = [...text.matchAll(/<p class="soft">(.*?)<\/p>/gs)].map(([, words = '']) => words)
  assert.ok(summaries.length >= guides.length - 1)
  for (const summary of summaries) assert.match(summary, /\w.*[.!?]$/s)
})

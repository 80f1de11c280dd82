// Everything that can be asked without a credential: it declares its budget, stands in docs/security.md, and costs the thread little.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { POINTS_PER_MINUTE } from '../../../src/base/address-budget.ts'
import { sql } from '../../../src/db/sql.ts'
import type { ListenerName } from '../../../src/metrics/watching.ts'
import { holdEvent } from '../../masjid/use-guests.ts'
import { type Arguments, call, send, sendCall } from '../../mcp/use-mcp.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { slowness, threadCost } from '../thread-cost.ts'
import { type Door, dearestCalls, doorsOf, type Known, type Row, requestsFor, rowsOf } from './open-doors.ts'

const MOST_MS = 50
const ROUNDS = 5
/** A machine that is busy with other things makes everything cost more: the least of so many medians counts. */
const TRIES = 4
/** Enough for two tries with calendars that nobody has asked for. */
const MASJIDS = 12
const DOCUMENT = new URL('../../../docs/security.md', import.meta.url)
const [BEGIN, END] = ['<!-- anonymous_table -->\n', '<!-- /anonymous_table -->']

let minaret: TestMinaret
let known: Known
const doors: Door[] = []
/** Milliseconds, by row of the table. */
const measured = new Map<string, number>()

before(async () => {
  minaret = await startTestMinaret(
    { SANDBOX_DATA: 'on' },
    { onRoutes: (listener, routes) => void doors.push(...doorsOf(listener, routes)) },
  )
  const { database } = minaret.service
  const masjids: string[] = []
  for (let count = 0; count < MASJIDS; count += 1) masjids.push(await insertMasjid(database))
  await fillDays(database, { from: new Date().toISOString().slice(0, 10), days: 400 })
  const found = await database.query<{ slug: string }>(sql`select slug from public.up_masjids`)
  const row = await database.first<{ id: string }>(sql`select id from sandbox.up_masjids order by id limit 1`)
  const { path: date } = await holdEvent(minaret)
  known = { date, masjid: masjids[0] as string, slugs: found.map(({ slug }) => slug), invented: row?.id ?? '' }
})
after(() => minaret.stop())

const urlOf = (listener: ListenerName): string => (listener === 'main' ? minaret.baseUrl : minaret.sandboxUrl)

const whole = async (asked: Promise<Response>): Promise<ArrayBuffer> => (await asked).arrayBuffer()

/** The least median, as on the machine of the bar: whatever else this one does only adds to it. */
const costOf = async (ask: (round: number) => Promise<unknown>, tries = TRIES): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries && least > MOST_MS / 2; count += 1) {
    const cost = await threadCost(ROUNDS, index => ask(count * ROUNDS + index))
    least = Math.min(least, cost > MOST_MS ? cost / slowness() : cost)
  }
  return least
}

const nameOf = ({ listener, asked, charged }: Row): string => `${listener} ${asked} ${charged}`

const note = (row: Row, cost: number): void =>
  void measured.set(nameOf(row), Math.max(cost, measured.get(nameOf(row)) ?? 0))

const rowOf = (door: Door): Row => rowsOf([door])[0] as Row

const asks = ({ methods }: Door): readonly string[] => methods.filter(method => method === 'GET' || method === 'POST')

const form = 'email=a%40example.org&password=wrong&grant_type=refresh_token&refresh_token=rt_x&token=x&request=x'

const init = (method: string): RequestInit =>
  method === 'GET'
    ? { redirect: 'manual' }
    : { redirect: 'manual', method, body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }

/** What is kept would not be made in a third try. */
const triesOf = ({ url }: Door): number => (/^\/m\/.*ics$/.test(url) ? 2 : TRIES)

/** Streams and what never ends are not read to their end. */
const isStream = ({ url }: Door): boolean => url === '/v1/graphql/stream' || url === '/screen/changes'

test('every address of both listeners costs the thread at most 50 ms', async () => {
  const found: string[] = []
  for (const door of doors) {
    if (isStream(door)) continue
    for (const method of asks(door)) {
      const choices = requestsFor(door, known, 0).length
      for (let choice = 0; choice < choices; choice += 1) {
        const cost = await costOf(round => {
          const path = requestsFor(door, known, round)[choice] as string
          return whole(fetch(urlOf(door.listener) + path, init(method)))
        }, triesOf(door))
        note(rowOf(door), cost)
        if (cost > MOST_MS) found.push(`${door.listener} ${method} ${door.url}: ${cost} ms`)
      }
    }
  }
  assert.deepEqual(found, [])
})

const graphql = { method: 'POST', headers: { 'content-type': 'application/json' } }

/** In the sandbox: nobody is signed in, and nothing changes. */
const refused = [
  'rsvp_to_event',
  'get_my_giving',
  'change_iqamah',
  'publish_announcement',
  'create_event',
  'cancel_event',
]

test('every tool of the sandbox, with as much as it takes, and GraphQL without a credential', async () => {
  const listed = (await (await send(minaret.sandboxUrl, { method: 'tools/list' })).json()) as {
    readonly result: { readonly tools: readonly { readonly name: string }[] }
  }
  const names = listed.result.tools.map(({ name }) => name)
  assert.ok(names.length > 6)
  const calls = dearestCalls(known)
  assert.deepEqual(
    names.filter(name => !(name in calls)),
    refused,
  )
  const found: string[] = []
  const measure = async (asked: string, ask: (round: number) => Promise<unknown>): Promise<void> => {
    const cost = await costOf(ask)
    note({ listener: 'sandbox', asked, charged: 'requests of the sandbox: 1,200 a minute, more for many rows' }, cost)
    if (cost > MOST_MS) found.push(`${asked}: ${cost} ms`)
  }
  for (const name of names) {
    if (name in calls) await call(minaret.sandboxUrl, name, calls[name] as Arguments)
    await measure(`tool \`${name}\``, () => whole(sendCall(minaret.sandboxUrl, name, calls[name] ?? {})))
  }
  for (const path of ['/v1/graphql', '/v1/relay'])
    await measure(`POST \`${path}\`, with a new introspection`, round =>
      whole(
        fetch(minaret.sandboxUrl + path, {
          ...graphql,
          body: JSON.stringify({ query: `{ a${round + 2}: __typename __schema { types { name fields { name } } } }` }),
        }),
      ),
    )
  assert.deepEqual(found, [])
})

const connect = async (listener: ListenerName): Promise<void> => {
  const socket = new WebSocket(`${urlOf(listener).replace('http', 'ws')}/v1/graphql`, 'graphql-transport-ws')
  await once(socket, 'open')
  socket.close()
  await once(socket, 'close')
}

/** Beside the routes. */
const besides = (['main', 'sandbox'] as const).map(
  (listener): Row => ({
    listener,
    asked: 'WebSocket `/v1/graphql`',
    charged: '1 point for each connection, and as many as are open at a time',
  }),
)

test('a connection that is opened and closed', async () => {
  for (const row of besides) {
    const cost = await costOf(() => connect(row.listener))
    note(row, cost)
    assert.ok(cost <= MOST_MS, `${cost} ms`)
  }
})

const inWords = (row: Row): string => {
  const cost = measured.get(nameOf(row))
  if (cost === undefined) return ''
  const steps = [1, 2, 5, 10, 20, 30, 40, 50]
  return `under ${steps.find(step => cost < step) ?? MOST_MS} ms`
}

const lines = (rows: readonly Row[]): string[] =>
  rows.map(row => `| ${row.listener} | ${row.asked} | ${row.charged} | ${inWords(row)} |`)

/** Without the last column, which differs from machine to machine. */
const declared = (table: string): string[] =>
  table
    .split('\n')
    .filter(line => /^\| (main|sandbox) /.test(line))
    .map(line => line.split(' | ').slice(0, 3).join(' | '))

test('docs/security.md has the table; WRITE_DOCS=on writes it with what was measured', () => {
  const toolRows = [...measured.keys()]
    .filter(name => name.includes('tool `') || name.includes('with a new introspection'))
    .map(name => {
      const charged = 'requests of the sandbox: 1,200 a minute, more for many rows'
      return { listener: 'sandbox', asked: name.slice('sandbox '.length, -charged.length - 1), charged } as const
    })
  const rows = [...rowsOf(doors), ...besides, ...toolRows.toSorted((a, b) => (a.asked < b.asked ? -1 : 1))]
  const text = readFileSync(DOCUMENT, 'utf8')
  const [start, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
  assert.ok(start > BEGIN.length && end > start, 'the table has its place')
  if (process.env.WRITE_DOCS === 'on') {
    const head = ['| listener | asked | charged to the address | CPU of the thread |', '|---|---|---|---|']
    writeFileSync(DOCUMENT, `${text.slice(0, start)}${[...head, ...lines(rows)].join('\n')}\n${text.slice(end)}`)
    return
  }
  assert.deepEqual(declared(text.slice(start, end)), declared(lines(rows).join('\n')))
})

test('a congregation behind one address is served: 500 phones open a masjid’s page within a minute', () => {
  const page = doors.find(({ listener, url }) => listener === 'main' && url === '/m/:slug')
  assert.ok(page?.charge.kind === 'points')
  assert.ok(page.charge.points * 500 <= POINTS_PER_MINUTE)
})

// The audit trail of writing on the administration pages: filters, pages, values side by side, exports; and what it costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSession } from '../../src/accounts/sessions.ts'
import { selectWrittenRows, type WrittenFilters } from '../../src/audit/read-written-rows.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey, makeUser } from '../support/apps.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'
import { createPerson, decodeHtml, type Person } from '../support/person.ts'
import { writeRows } from '../support/written-rows.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const signedIn = async (rights: { isAdmin?: boolean; isReviewer?: boolean }, language = 'en'): Promise<Person> => {
  const { id } = await makeUser(database(), { hashed: false, ...rights })
  const person = createPerson(minaret().baseUrl)
  const session = await startSession(database(), id, { address: undefined, userAgent: undefined })
  person.cookies.set('minaret_session', session)
  person.cookies.set('minaret_language', language)
  return person
}

const administrator = (language?: string) => signedIn({ isAdmin: true }, language)
const path = (filters: Record<string, string>): string => `/admin/changes?${new URLSearchParams(filters)}`
const entriesOf = (text: string): number => text.split('<li class="card change">').length - 1

const exported = async (admin: Person, filters: Record<string, string>, format: string): Promise<string> => {
  const file = await admin.submit('/admin/changes', '/admin/changes/export', { ...filters, format })
  assert.equal(file.status, 200)
  assert.match(
    file.headers.get('content-disposition') ?? '',
    new RegExp(`^attachment; filename="data-changes-.*\\.${format}"$`),
  )
  assert.equal(file.headers.get('cache-control'), 'no-store')
  return file.text
}

test('a change shows who, by what right, and old and new side by side; personal values are not shown', async () => {
  const admin = await administrator()
  const { id: userId } = await makeUser(database(), { hashed: false, name: 'Amina <b>Yusuf</b>' })
  const record = crypto.randomUUID()
  await writeRows(database(), { count: 1, record, userId, title: '<script>alert(1)</script>' })
  const { text } = await admin.get(path({ record }))
  assert.equal(entriesOf(text), 1)
  assert.match(text, /Before<\/th><th scope="col">After/)
  assert.match(
    text,
    /<code dir="ltr">title<\/code><\/td><td><span[^>]*>Welcome<\/span><\/td><td><span[^>]*>&#60;script/,
  )
  assert.match(text, /<code dir="ltr">phone<\/code><\/td><td><span class="soft">changed, not shown.*changed, not shown/)
  assert.match(text, /about themselves/)
  assert.match(decodeHtml(text), /Amina <b>Yusuf/)
  assert.doesNotMatch(text, /<b>Yusuf|<script>alert/)
  assert.match(decodeHtml(text), new RegExp(`/admin/changes\\?table=up_signs&record=${record}`))
})

test('what an app writes through the API is there, with the app, its right and the request', async () => {
  const admin = await administrator()
  const masjidId = await insertMasjid(database())
  const scopes = ['events:read', 'events:write'] as const
  const app = await makeApp(database(), { name: 'Event importer', scopes, masjids: { only: '*', own: [masjidId] } })
  const { key } = await makeKey(database(), { appId: app.id, scopes })
  const object = `{masjid_id: "${masjidId}", title: "Iftar", starts_local: "2027-02-20T18:00:00", timezone: "UTC"}`
  const response = await fetch(`${minaret().baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation { insert_up_events_one(object: ${object}) { id } }` }),
  })
  const { data } = (await response.json()) as { data: { insert_up_events_one: { id: string } } }
  const { text } = await admin.get(path({ table: 'up_events', record: data.insert_up_events_one.id }))
  assert.equal(entriesOf(text), 1)
  assert.match(text, /Event importer<\/bdi><\/a> · <span class="soft">as the masjid’s own app/)
  assert.ok(text.includes(response.headers.get('x-request-id') ?? 'none'))
})

test('every filter narrows, alone and together; what is unknown finds nothing', async () => {
  const admin = await administrator()
  const masjidId = await insertMasjid(database())
  const user = await makeUser(database(), { hashed: false })
  const app = await makeApp(database())
  const record = crypto.randomUUID()
  await writeRows(database(), {
    ...{ count: 1, table: 'up_rare', kind: 'restore', record, masjidId, userId: user.id, appId: app.id },
    at: new Date('2024-02-29T23:59:59Z'),
  })
  await writeRows(database(), { count: 3 })
  const day = { from: '2024-02-29', to: '2024-02-29' }
  const all = {
    table: 'up_rare',
    kind: 'restore',
    record,
    masjid: masjidId,
    person: user.email,
    app: app.clientId,
    ...day,
  }
  for (const [name, value] of [...Object.entries(all).filter(([name]) => name !== 'from'), ['app', app.id]] as const) {
    const filters: Record<string, string> = name === 'to' ? day : { [name]: value }
    // That the masjid itself was added is recorded as well.
    assert.equal(entriesOf((await admin.get(path(filters))).text), name === 'masjid' ? 2 : 1, name)
  }
  assert.equal(entriesOf((await admin.get(path(all))).text), 1)
  for (const wrong of [
    { table: "up_rare' or true --" },
    { masjid: 'nowhere' },
    { person: 'nobody@example.org' },
    { app: 'app_of_nobody' },
    { ...all, kind: 'insert' },
    { from: '2024-03-01', to: '2024-03-01' },
  ] as Record<string, string>[]) {
    const { text, status } = await admin.get(path(wrong))
    assert.equal(status, 200)
    assert.match(text, /Nothing was found/, JSON.stringify(wrong))
  }
  for (const odd of [
    { from: '2024-99-99' },
    { before: 'x' },
    { before: `${'9'.repeat(17)}-${'9'.repeat(18)}` },
    { kind: 'x' },
  ])
    assert.equal((await admin.get(path(odd as Record<string, string>))).status, 200, JSON.stringify(odd))
})

test('pages go on where the last one ended, also among rows of one transaction', async () => {
  const admin = await administrator()
  await writeRows(database(), { count: 60, table: 'up_many' })
  const seen: string[] = []
  let next: string | undefined = path({ table: 'up_many' })
  for (let pages = 0; next !== undefined && pages < 5; pages += 1) {
    const text = decodeHtml((await admin.get(next)).text)
    seen.push(...[...text.matchAll(/table=up_many&record=([0-9a-f-]{36})/g)].map(([, record]) => String(record)))
    next = /href="([^"]*)"[^>]*>Older/.exec(text)?.[1]
  }
  assert.equal(next, undefined)
  assert.equal(seen.length, 60)
  assert.equal(new Set(seen).size, 60)
})

test('an export holds every row found, in CSV without formulas and in JSON, and is recorded', async () => {
  const admin = await administrator()
  const table = 'up_exported'
  await writeRows(database(), { count: 2001, table })
  await writeRows(database(), { count: 1, table, record: '=1+1', title: 'He said "no", \nand left' })
  const csv = await exported(admin, { table }, 'csv')
  assert.equal(csv.split('\r\n').length, 2004)
  assert.match(
    csv,
    /^at,table,record,masjid_id,masjid,kind,columns,old,new,user_id,person,app_id,app,authority,capability,request_id\r\n/,
  )
  assert.match(csv, /,up_exported,'=1\+1,/)
  assert.match(csv, /"\{""seats"":40,""title"":""He said \\""no\\"", \\nand left""\}"/)
  const rows = JSON.parse(await exported(admin, { table }, 'json')) as Record<string, unknown>[]
  assert.equal(rows.length, 2002)
  assert.deepEqual(rows[0]?.columns, ['title', 'seats', 'phone'])
  assert.deepEqual(rows[1]?.new, { title: 'Salam', seats: 40 })
  assert.equal(await exported(admin, { table, kind: 'restore' }, 'json'), '[]\n')
  const entries = await database().query<{ detail: Record<string, string> }>(sql`
    select detail from minaret.audit_log where action = 'data.exported' and detail ->> 'table' = ${table} order by id`)
  assert.deepEqual(
    entries.map(({ detail }) => detail),
    [
      { format: 'csv', table },
      { format: 'json', table },
      { format: 'json', table, kind: 'restore' },
    ],
  )
})

test('only administrators see and export changes', async () => {
  const reviewer = await signedIn({ isReviewer: true })
  assert.equal((await reviewer.get('/admin/changes')).status, 403)
  const { text } = await reviewer.get('/review')
  const [, token = ''] = /name="anti_forgery"[^>]*value="([^"]+)"/.exec(text) ?? []
  const refused = await reviewer.post('/admin/changes/export', { anti_forgery: token, format: 'csv' })
  assert.equal(refused.status, 403)
  assert.equal((await createPerson(minaret().baseUrl).get('/admin/changes')).status, 303)
  const admin = await administrator()
  assert.equal((await admin.post('/admin/changes/export', { format: 'csv' })).status, 403)
})

test('in Arabic the page has the same filters and words', async () => {
  const admin = await administrator('ar')
  await writeRows(database(), { count: 1, table: 'up_arabic' })
  const { text } = await admin.get(path({ table: 'up_arabic' }))
  for (const words of ['تغييرات البيانات', 'تغيّر، ولا يُعرض', 'تصدير CSV', 'قبل', 'بعد'])
    assert.ok(text.includes(words), words)
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Rows that scans looked at, whether they were kept or not. */
const touched = (node: PlanNode): number => {
  const own = /Scan/.test(node['Node Type'])
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0
  return own + (node.Plans ?? []).reduce((sum, child) => sum + touched(child), 0)
}

test('a page touches few rows, however many the filter does not find', async () => {
  const masjidId = await insertMasjid(database())
  const other = await insertMasjid(database())
  const user = await makeUser(database(), { hashed: false })
  const app = await makeApp(database())
  const before = new Date(Date.now() - 3_600_000)
  const record = crypto.randomUUID()
  const rare = {
    count: 60,
    table: 'up_needle',
    masjidId,
    userId: user.id,
    appId: app.id,
    kind: 'delete',
    record,
  } as const
  await writeRows(database(), { ...rare, at: before })
  await writeRows(database(), { count: 200_000, table: 'up_haystack', masjidId: other, kind: 'update' })
  await database().run(sql`analyze public.written_rows`)
  const filters: Record<string, WrittenFilters> = {
    none: {},
    table: { table: 'up_needle' },
    masjid: { masjid: masjidId },
    person: { personEmail: user.email },
    app: { app: app.clientId },
    kind: { kind: 'delete' },
    record: { table: 'up_needle', record },
    time: { to: new Date(before.getTime() + 1000) },
  }
  for (const [name, filter] of Object.entries(filters)) {
    const page = selectWrittenRows({ filters: filter, before: undefined, limit: 26 })
    const [row] = await database().query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      sql`explain (analyze, format json) ${page}`,
    )
    const plan = row?.['QUERY PLAN'][0]?.Plan
    assert.ok(plan)
    assert.ok(touched(plan) < 1500, `${name}: ${touched(plan)} rows\n${JSON.stringify(plan, null, 1)}`)
  }
})

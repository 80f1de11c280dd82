// PostgreSQL plans a statement anew for its first five runs on a connection, and then for good unless plans for its values were cheaper. What
// the guides and pages ask is prepared, and planned for good.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { TextStatement } from '../../src/db/text-channel.ts'
import { runOperations } from '../../src/graphql/entrance/entrance.ts'
import { rehearsalIn } from '../../src/graphql/rehearsal.ts'
import { findMasjids } from '../../src/site/find/find-masjids.ts'
import { readWishes } from '../../src/site/find/find-wishes.ts'
import { askPublic } from '../../src/site/frame/ask-public.ts'
import { formValues } from '../../src/site/frame/form-body.ts'
import { MASJID, MASJID_ALONE, type PublicMasjid } from '../../src/site/masjid/public-masjid.ts'
import { readPublicTimes } from '../../src/site/masjid/public-times.ts'
import { loadManyMasjids } from '../prayer/many-masjids.ts'
import { type OneConnection, readOverOne } from './read-over-one.ts'
import { dataOf, everything, useEngine } from './use-engine.ts'

const running = useEngine(loadManyMasjids)
let one: OneConnection
before(async () => {
  one = await readOverOne(running())
})
after(() => one.close())

/** Twice until it is kept prepared, five times with a plan of its own, and then some. */
const RUNS = 12
const CUSTOM_RUNS = 5

const address = '127.0.0.1'
const now = new Date('2026-06-17T12:00:00Z')

type Ask = (run: number) => Promise<unknown>

const masjid = async (run: number): Promise<PublicMasjid> => {
  const until = '2026-07-17T12:00:00Z'
  const variables = { slug: `masjid-${run}`, now: now.toISOString(), until }
  const found = await askPublic<{ masjid: PublicMasjid }>(one.engine, { query: MASJID, variables, address })
  return found.masjid
}

const find =
  (wishes: Record<string, string>): Ask =>
  () =>
    findMasjids(one.engine, { wishes: readWishes(formValues(wishes)), now, address })

const pages: Readonly<Record<string, Ask>> = {
  'a masjid': masjid,
  'a masjid alone': run =>
    askPublic(one.engine, { query: MASJID_ALONE, variables: { slug: `masjid-${run}` }, address }),
  'its times': async run => readPublicTimes(one.engine, { masjid: await masjid(run), now, address }),
  'its times and a month': async run =>
    readPublicTimes(one.engine, { masjid: await masjid(run), now, month: '2026-06', address }),
  'the finder by name': find({ q: 'Masjid 7' }),
  'the finder by city': find({ city: 'City 3' }),
  'the finder by place': find({ lat: '35.5', lon: '-78' }),
}

const ID = '00000000-0000-4000-8000-000000000000'
const values: Readonly<Record<string, unknown>> = {
  masjid: ID,
  id: ID,
  after: ID,
  date: '2026-06-17',
  from: '2026-06-17',
  to: '2026-06-24',
  until: '2026-06-24',
  late: '2026-06-17T22:00:00',
  since: '2026-06-01T00:00:00Z',
  offset: 20,
}

/** They need a cursor of their own, or something that calculates. */
const leftOut = ['changes_since', 'pc_times_at']

const folder = new URL('../../docs/guides/', import.meta.url)
const queriesOf = (guide: string): string[] =>
  [...readFileSync(new URL(guide, folder), 'utf8').matchAll(/```graphql\n(.*?)```/gs)]
    .map(([, query = '']) => query)
    .filter(query => /^\s*(?:query\b|\{)/.test(query) && !leftOut.some(name => query.includes(name)))

const askGuide = async (query: string): Promise<void> => {
  const names = [...(query.split('{')[0] ?? '').matchAll(/\$(\w+)/g)].map(([, name = '']) => name)
  const variables = Object.fromEntries(names.map(name => [name, values[name]]))
  dataOf(await runOperations(one.engine, [{ query, variables, operationName: undefined }], { grant: everything }))
}

/**
 * How many rows a value finds decides how to look for them, so PostgreSQL plans these for each value. Planning a guide's takes less than a
 * millisecond, as it reads one table or two; the finder's takes two, for pages that are kept in memory.
 */
const valuesMatter = [
  'the finder by city',
  '_or: [{category: {_eq: lecture}}',
  'country: {_eq: "CA"}',
  'offset: $offset',
  'id: {_gt: $after}',
  'updated_at: {_gte: $since}',
  'iqamah_local: {_gte: $late}',
]

const guides = (): Readonly<Record<string, Ask>> =>
  Object.fromEntries(
    readdirSync(folder)
      .flatMap(guide => queriesOf(guide).map(query => `${guide}: ${query}`))
      .map(title => [title, () => askGuide(title.slice(title.indexOf(': ') + 2))]),
  )

const plannedAgain = async (asks: Readonly<Record<string, Ask>>): Promise<string[]> => {
  const titles = new Map<string, string>()
  for (const [title, ask] of Object.entries(asks)) {
    one.sent.length = 0
    for (let run = 0; run < RUNS; run += 1) await ask(run)
    for (const name of one.sent) titles.set(name, title)
  }
  const kept = new Map((await one.kept()).map(plans => [plans.name, plans]))
  return [...titles].flatMap(([name, title]) => {
    const plans = kept.get(name)
    if (plans === undefined) return [`${title} is not prepared`]
    const { generic, custom } = plans
    if (valuesMatter.some(part => title.includes(part))) return []
    return custom <= CUSTOM_RUNS && generic > 0 ? [] : [`${title} is planned again: ${custom} times, kept ${generic}`]
  })
}

test('on a connection that was just opened, planning pages looks up little: its rehearsal did', async () => {
  one.statements.length = 0
  for (const ask of Object.values(pages)) await ask(1)
  const statements = [...new Map(one.statements.map(statement => [statement.name, statement])).values()]
  const lookedUp = async (statement: TextStatement, rehearsal?: string): Promise<number> => {
    const fresh = await readOverOne(running(), rehearsal)
    try {
      return await fresh.lookedUpFor(statement)
    } finally {
      await fresh.close()
    }
  }
  const sum = async (rehearsal?: string): Promise<number> => {
    let all = 0
    for (const statement of statements) all += await lookedUp(statement, rehearsal)
    return all
  }
  const [without, failing, rehearsed] = [
    await sum(),
    await sum('select nothing of this'),
    await sum(rehearsalIn('public')),
  ]
  assert.ok(rehearsed < without / 4, `${rehearsed} of ${without}`)
  assert.ok(rehearsed < failing / 4, `a rehearsal that fails is none: ${rehearsed} of ${failing}`)
})

test('what pages read is planned once', async () => {
  assert.deepEqual(await plannedAgain(pages), [])
})

test('what the guides ask is planned once', async () => {
  assert.deepEqual(await plannedAgain(guides()), [])
})

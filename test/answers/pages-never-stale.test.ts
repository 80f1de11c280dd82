// The proof for pages: whatever of a masjid is changed, in whatever way, every page that is asked for after a commit was acknowledged shows
// it, through every process.
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { rawSql } from '../../src/db/sql.ts'
import { outcomes, untilKept } from '../masjid/use-kept-pages.ts'
import { makeShownMasjid } from '../masjid/use-masjid-page.ts'
import type { Masjid } from '../staff/use-staff.ts'
import { startTestMinaret, TEST_SECRET, type TestMinaret } from '../support/minaret.ts'
import { type RunningProcess, startMinaretProcess } from '../support/process.ts'
import { rounds } from '../support/rounds.ts'

const MASJIDS = 3
const isLong = process.env.MINARET_LONG !== undefined
const READS = rounds(3000, 1_000_000)
const MOST_SECONDS = isLong ? 3000 : 60

let minaret: TestMinaret
let other: RunningProcess
const masjids: Masjid[] = []

/** What is said of a masjid, by number: what is changed, where a page shows it, and what it shows. */
interface Fact {
  readonly change: (masjid: Masjid, count: number) => readonly string[]
  readonly path: (masjid: Masjid) => string
  readonly shown: RegExp
}

const HOUR = 60

const facts: Readonly<Record<string, Fact>> = {
  name: {
    change: ({ id }, count) => [`update up_masjids set name = 'Masjid ${count}.' where id = '${id}'`],
    path: ({ slug }) => `/m/${slug}?lang=en`,
    shown: /<h1[^>]*>(?:<bdi>)?Masjid (\d+)\./,
  },
  'name in the calendar': {
    change: ({ id }, count) => [`update up_masjids set address = 'Lane ${count} end' where id = '${id}'`],
    path: ({ slug }) => `/m/${slug}/prayer-times.ics?days=3`,
    shown: /Lane (\d+) end/,
  },
  announcement: {
    change: ({ id }, count) => [
      'begin',
      `delete from up_announcements where masjid_id = '${id}'`,
      `insert into up_announcements (masjid_id, kind, texts, shown_on, starts_at)
        values ('${id}', 'general', '{"en": {"title": "News ${count}."}}', '{page}', now() - interval '1 hour')`,
      'commit',
    ],
    path: ({ slug }) => `/m/${slug}?lang=en`,
    shown: /News (\d+)\./,
  },
  event: {
    change: ({ id }, count) => [`update up_events set title = 'Circle ${count}.' where masjid_id = '${id}'`],
    path: ({ slug }) => `/m/${slug}/events.ics`,
    shown: /Circle (\d+)\./,
  },
  'event on the page': {
    change: ({ id }, count) => [`update up_events set description = 'About ${count}.' where masjid_id = '${id}'`],
    path: ({ slug }) => `/m/${slug}?lang=ar`,
    shown: /About (\d+)\./,
  },
  'city in a list': {
    change: ({ id }, count) => [`update up_masjids set state = 'S${count}.' where id = '${id}'`],
    path: ({ slug }) => `/find?city=Town-${slug}`,
    shown: /S(\d+)\./,
  },
}

/** A rule is shown as a time, which comes again after an hour. */
const rule: Fact = {
  change: ({ id }, count) => [
    `update pc_iqamah_schedules set fixed_time = make_time(13, ${count % HOUR}, 0)
      where masjid_id = '${id}' and prayer = 'jumuah' and session = 1`,
  ],
  path: ({ slug }) => `/m/${slug}/prayer-times.ics?days=8`,
  shown: /Iqamah 13:(\d\d)/,
}

before(async () => {
  minaret = await startTestMinaret({ METRICS_PORT: '0' })
  const { database } = minaret.service
  for (let number = 0; number < MASJIDS; number += 1) {
    const masjid = await makeShownMasjid(minaret)
    masjids.push(masjid)
    await database.run(rawSql(`update up_masjids set city = 'Town-${masjid.slug}' where id = '${masjid.id}'`))
  }
  other = await startMinaretProcess({
    DATABASE_URL: minaret.databaseUrl,
    MINARET_SECRET: TEST_SECRET,
    DEMO_DATA: 'off',
    RATE_LIMITS: 'off',
  })
})
after(async () => {
  await other.stop()
  await minaret.stop()
})

interface Known {
  /** Acknowledged. */
  count: number
  /** Sent. */
  begun: number
}

interface Run {
  readonly fact: Fact
  readonly masjid: Masjid
  readonly known: Known
  readonly isOver: () => boolean
}

/** Bursts: most of the time nobody writes, so that pages are kept and sent again. */
const write = async ({ fact, masjid, known, isOver }: Run): Promise<void> => {
  const client = new pg.Client(minaret.databaseUrl)
  await client.connect()
  try {
    while (!isOver()) {
      while (!isOver() && performance.now() % 500 > 200) await delay(10)
      known.begun += 1
      for (const statement of fact.change(masjid, known.begun)) await client.query(statement)
      known.count = known.begun
      await delay(30 * Math.random())
    }
  } finally {
    await client.end()
  }
}

const countIn = (text: string, { shown }: Fact): number => Number(shown.exec(text)?.[1] ?? Number.NaN)

const read = async (
  baseUrl: string,
  { fact, masjid, known, isOver }: Run,
  counted: { reads: number },
): Promise<void> => {
  while (!isOver()) {
    const floor = known.count
    const response = await fetch(baseUrl + fact.path(masjid))
    const text = await response.text()
    if (response.status === 503) continue
    assert.equal(response.status, 200, text)
    counted.reads += 1
    const count = countIn(text, fact)
    if (fact === rule) {
      const may = Array.from({ length: known.begun - floor + 1 }, (_, index) => (floor + index) % HOUR)
      assert.ok(may.includes(count), `stale: a rule is ${count}, was ${floor % HOUR}`)
    } else assert.ok(count >= floor, `stale: ${fact.path(masjid)} says ${count}, was ${floor}`)
  }
}

const prove = async (t: TestContext, disturb?: () => Promise<unknown>): Promise<void> => {
  const counted = { reads: 0 }
  const [since, most] = [performance.now(), disturb === undefined ? READS : READS / 4]
  let failed = false
  const isOver = (): boolean =>
    failed ||
    counted.reads >= most ||
    performance.now() - since > (MOST_SECONDS / (disturb === undefined ? 1 : 4)) * 1000
  const runs = [...Object.values(facts), rule].map((fact, index): Run => {
    const masjid = masjids[index % MASJIDS] as Masjid
    const known = { count: 0, begun: 0 }
    return { fact, masjid, known, isOver }
  })
  for (const { fact, masjid } of runs)
    for (const statement of fact.change(masjid, 0)) await minaret.service.database.run(rawSql(statement))
  // Two of the first process, so that one may be given what is made for the other.
  const readers = runs.flatMap(run =>
    [minaret.baseUrl, minaret.baseUrl, other.baseUrl].map(url => read(url, run, counted)),
  )
  const work = [...readers, ...runs.map(write)].map(one =>
    one.catch((error: unknown) => {
      failed = true
      throw error
    }),
  )
  const disturbing = (async () => {
    while (disturb !== undefined && !isOver()) {
      await delay(250)
      await disturb()
    }
  })()
  const ends = await Promise.allSettled([...work, disturbing])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  t.diagnostic(`${counted.reads} pages`)
}

test('no page is stale while everything on it is changed, and many come from memory', {
  timeout: 2 * MOST_SECONDS * 1000 + 60_000,
}, async t => {
  for (const fact of [...Object.values(facts), rule]) await untilKept(minaret, fact.path(masjids[0] as Masjid))
  const { hit } = await outcomes(minaret)
  await prove(t)
  const hits = (await outcomes(minaret)).hit - hit
  t.diagnostic(`${hits} from memory, of those of the first process`)
  assert.ok(hits > 0)
})

const killSome = `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
  where application_name = 'minaret reader' and datname = current_database() order by random() limit 3) chosen`

test('no page is stale while connections are killed', { timeout: 2 * MOST_SECONDS * 1000 }, t =>
  prove(t, () => minaret.service.database.run(rawSql(killSome))),
)

// Gifts are only added: a correction is a row that takes one back, never more than is left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useDatabase } from './use-database.ts'
import { tryAs, writeAs } from './writing.ts'
import { actors, fillWritingActors, masjids, memberOf, place, rows } from './writing-actors.ts'

const model = useDatabase(fillWritingActors)
const giving = { ...actors.giving }
const campaign = rows.a[place.ua_campaigns] ?? ''

interface Gift {
  readonly id: string
  readonly masjid_id: string
  readonly campaign_id: string
  readonly currency: string
  readonly fund: string
  readonly member_id: string
  readonly status: string
}

const give = async (amount: number, member = memberOf('member')): Promise<string> => {
  const [gift] = await writeAs<Gift>(
    model().owner,
    giving,
    sql`insert into ua_donations (masjid_id, campaign_id, member_id, amount_minor, currency, fund, method, status, received_at)
        values (${masjids.a}, ${campaign}, ${member}, ${amount}, 'USD', 'zakat', 'card', 'succeeded', now()) returning *`,
  )
  return gift?.id ?? ''
}

const reversal = (gift: string, amount: number) =>
  sql`insert into ua_donations (reverses_donation_id, amount_minor) values (${gift}, ${-amount}) returning *`
const reverse = (gift: string, amount: number) => writeAs<Gift>(model().owner, giving, reversal(gift, amount))

const raised = async (): Promise<number> =>
  Number(
    (
      await model().owner.first<{ raised: string }>(sql`
      select raised_minor as raised from campaign_ledgers where campaign_id = ${campaign}`)
    )?.raised,
  )

test('a reversal has everything of its gift but the amount', async () => {
  const gift = await give(1000)
  const [row] = await reverse(gift, 400)
  assert.partialDeepStrictEqual(
    { ...row },
    {
      masjid_id: masjids.a,
      campaign_id: campaign,
      currency: 'USD',
      fund: 'zakat',
      member_id: memberOf('member'),
      status: 'succeeded',
    },
  )
})

test('the campaign and sums over amounts follow', async () => {
  const before = await raised()
  const gift = await give(1000)
  await reverse(gift, 300)
  assert.equal((await raised()) - before, 700)
  const sum = await model().owner.first<{ sum: string }>(sql`
    select sum(amount_minor) as sum from ua_donations where ${gift} in (id, reverses_donation_id)`)
  assert.equal(Number(sum?.sum), 700)
})

test('never more than is left, in one statement or in several, and a refund counts too', async () => {
  const { owner } = model()
  const gift = await give(1000)
  assert.equal(await tryAs(owner, giving, reversal(gift, 1001)), '23514')
  assert.equal(await tryAs(owner, giving, reversal(gift, 600), reversal(gift, 401)), '23514')
  assert.equal(
    await tryAs(
      owner,
      giving,
      sql`insert into ua_donations (reverses_donation_id, amount_minor) values (${gift}, -600), (${gift}, -401) returning id`,
    ),
    '23514',
  )
  await owner.run(sql`update ua_donations set refunded_minor = 500 where id = ${gift}`)
  assert.equal(await tryAs(owner, giving, reversal(gift, 501)), '23514')
  assert.equal(await tryAs(owner, giving, reversal(gift, 500)), 1)
})

test('of many reversals of a whole gift at once, one succeeds', async () => {
  for (let round = 0; round < 3; round += 1) {
    const gift = await give(1000)
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => reverse(gift, 1000)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  }
})

test('only a received gift can be reversed, not a reversal, a pending one or one that is not visible', async () => {
  const { owner } = model()
  const [taken] = await reverse(await give(1000), 100)
  assert.equal(await tryAs(owner, giving, reversal(taken?.id ?? '', 1)), '23514')
  const pending = sql`insert into ua_donations (id, masjid_id, amount_minor, currency, method)
    values ('32000000-0000-4000-8000-0000000009ff', ${masjids.a}, 100, 'USD', 'cash')`
  assert.equal(await tryAs(owner, giving, pending, reversal('32000000-0000-4000-8000-0000000009ff', 1)), '23514')
  const foreign = rows.b[place.ua_donations] ?? ''
  const unknown = '32000000-0000-4000-8000-0000000009fe'
  assert.equal(await tryAs(owner, giving, reversal(foreign, 1)), '23503')
  assert.equal(await tryAs(owner, giving, reversal(unknown, 1)), '23503')
})

test('a gift taken back before it was published is not one of the five', async () => {
  const { owner } = model()
  const [fresh] = await writeAs<{ id: string }>(
    owner,
    giving,
    sql`insert into ua_campaigns (masjid_id, title, currency) values (${masjids.a}, 'x', 'USD') returning id`,
  )
  const published = async () =>
    (
      await owner.first<{ sum: string | null }>(
        sql`select raised_minor as sum from ua_campaigns where id = ${fresh?.id}`,
      )
    )?.sum
  const people = ['member', 'board', 'admin', 'times', 'events'] as const
  const giveTo = async (person: (typeof people)[number]) =>
    (
      await writeAs<{ id: string }>(
        owner,
        giving,
        sql`insert into ua_donations (masjid_id, campaign_id, member_id, amount_minor, currency, method, status, received_at)
            values (${masjids.a}, ${fresh?.id}, ${memberOf(person)}, 100, 'USD', 'card', 'succeeded', now()) returning id`,
      )
    )[0]?.id ?? ''
  await reverse(await giveTo('events'), 100)
  for (const person of ['member', 'board', 'admin', 'times'] as const) await giveTo(person)
  assert.equal(await published(), null)
  await giveTo('events')
  assert.equal(Number(await published()), 500)
})

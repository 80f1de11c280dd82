// An app that is not the masjid's own, and a plain member, try to infer hidden gifts from what a campaign raised.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readingScopes } from '../../../src/access/scopes.ts'
import type { MasjidChoice } from '../../../src/apps/masjids.ts'
import { sql } from '../../../src/db/sql.ts'
import { fixtureTemplate, masjidId, memberId } from '../../graphql/fixture.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { type Data, type GraphqlClient, openClient } from '../../support/graphql.ts'
import { type TestMinaret, useMinaret } from '../../support/minaret.ts'
import { getTokens, makeClient, makePerson, signIn } from '../../support/oauth.ts'

/** Members of masjid 2 in the fixture have odd numbers; 3 and 9 of them agreed to sharing. */
const masjid = masjidId(2)
const hiddenMembers = [1, 5, 7, 11, 13]

const keyOf = async ({ service: { database } }: TestMinaret, masjids: MasjidChoice): Promise<string> => {
  const { id } = await makeApp(database, { scopes: readingScopes, masjids })
  return (await makeKey(database, { appId: id, scopes: readingScopes })).key
}

const tokenOf = async (minaret: TestMinaret, member: number): Promise<string> => {
  const { database } = minaret.service
  const user = await makePerson(database)
  await database.run(sql`update public.ua_members set user_id = ${user.id} where id = ${memberId(member)}`)
  const flow = { app: await makeClient(database), user, cookie: await signIn(database, user) }
  return (await getTokens(minaret, flow, { scope: readingScopes.join(' ') })).access_token
}

describe('what a campaign raised', () => {
  const clients: GraphqlClient[] = []
  let outsiders: readonly GraphqlClient[] = []
  let own: readonly GraphqlClient[] = []
  after(() => {
    for (const client of clients) client.close()
  })
  const minaret = useMinaret(
    {},
    async running => {
      const open = (key: string): GraphqlClient => {
        const client = openClient(running, key)
        clients.push(client)
        return client
      }
      outsiders = [
        open(await keyOf(running, { only: '*', own: [] })),
        open(await keyOf(running, { only: '*', own: [masjidId(1)] })),
        open(await tokenOf(running, 3)),
      ]
      own = [open(await keyOf(running, { only: '*', own: [masjid] })), open(await tokenOf(running, 1))]
    },
    { template: fixtureTemplate },
  )

  const ask = async (client: GraphqlClient, query: string, variables: Record<string, unknown>): Promise<Data> => {
    const { body, text } = await client.query({ query, variables })
    assert.equal(body.errors, undefined, text)
    return body.data
  }
  const newCampaign = async (): Promise<string> => {
    const row = await minaret().service.database.first<{ id: string }>(sql`
      insert into public.ua_campaigns (masjid_id, title, currency) values (${masjid}, 'Roof', 'USD') returning id`)
    return row?.id ?? ''
  }
  const give = async (campaign: string, member: number | undefined, amount: number): Promise<string> => {
    const row = await minaret().service.database.first<{ id: string }>(sql`
      insert into public.ua_donations (masjid_id, campaign_id, member_id, is_anonymous, amount_minor, currency, method, status, received_at)
      values (${masjid}, ${campaign}, ${member === undefined ? null : memberId(member)}, ${member === undefined}, ${amount},
        'USD', 'card', 'succeeded', now()) returning id`)
    return row?.id ?? ''
  }
  const sums = (all: readonly GraphqlClient[], campaign: string): Promise<(number | null)[]> =>
    Promise.all(
      all.map(async client => {
        const query = 'query ($id: uuid!) { ua_campaigns_by_pk(id: $id) { raised_minor } }'
        return (await ask(client, query, { id: campaign })).ua_campaigns_by_pk.raised_minor
      }),
    )

  test('is null before five gifts, then as of the last five, the same for all outsiders; exact for its own', async () => {
    const campaign = await newCampaign()
    let exact = 0
    let published: number | null = null
    for (let number = 1; number <= 12; number += 1) {
      await give(campaign, hiddenMembers[number % 5], number * 100)
      exact += number * 100
      if (number % 5 === 0) published = exact
      assert.deepEqual(await sums(outsiders, campaign), [published, published, published], `after ${number}`)
      assert.deepEqual(await sums(own, campaign), [exact, exact], `after ${number}`)
    }
  })

  test('minus the gifts that can be listed never leaves the gift of one person', async () => {
    const campaign = await newCampaign()
    for (const [member, amount] of [
      [3, 100],
      [9, 200],
      [undefined, 300],
      [undefined, 400],
      [1, 77_700],
    ] as const)
      await give(campaign, member, amount)
    assert.deepEqual(await sums(outsiders, campaign), [null, null, null])
    await give(campaign, undefined, 500)
    // Five that can be listed, and nothing of the sixth.
    assert.deepEqual(await sums(outsiders, campaign), [1500, 1500, 1500])
  })

  test('many gifts from few people do not make a step', async () => {
    const campaign = await newCampaign()
    for (let number = 0; number < 10; number += 1) await give(campaign, hiddenMembers[number % 4], 100)
    assert.deepEqual(await sums(outsiders, campaign), [null, null, null])
    for (let number = 0; number < 5; number += 1) await give(campaign, hiddenMembers[4], 100)
    assert.deepEqual(await sums(outsiders, campaign), [1500, 1500, 1500])
  })

  test('a refund or a deleted gift waits for the next step too, and does not show in updated_at', async () => {
    const campaign = await newCampaign()
    const gifts: string[] = []
    for (const member of hiddenMembers) gifts.push(await give(campaign, member, 1000))
    const changedAt = async (): Promise<Data> =>
      ask(
        outsiders[0] as GraphqlClient,
        'query ($id: uuid!) { ua_campaigns_by_pk(id: $id) { raised_minor updated_at } }',
        {
          id: campaign,
        },
      )
    const before = await changedAt()
    assert.equal(before.ua_campaigns_by_pk.raised_minor, 5000)
    const { database } = minaret().service
    await database.run(sql`update public.ua_donations set refunded_minor = 400 where id = ${gifts[0]}`)
    await database.run(sql`update public.ua_donations set deleted_at = now() where id = ${gifts[1]}`)
    await database.run(sql`delete from public.ua_donations where id = ${gifts[2]}`)
    assert.deepEqual(await changedAt(), before)
    assert.deepEqual(await sums(own, campaign), [2600, 2600])
  })

  test('cannot be probed with filters, orders, cursors, totals or groups', async () => {
    const campaign = await newCampaign()
    for (const [index, member] of [...hiddenMembers, 1, 5].entries()) await give(campaign, member, 1000 * (index + 1))
    const query = `query ($id: uuid!, $sum: bigint!) {
      equal: ua_campaigns(where: {id: {_eq: $id}, raised_minor: {_eq: $sum}}) { id }
      more: ua_campaigns(where: {id: {_eq: $id}, raised_minor: {_gt: 15000}}) { id }
      none: ua_campaigns(where: {id: {_eq: $id}, raised_minor: {_is_null: true}}) { id }
      parent: up_masjids(where: {campaigns: {id: {_eq: $id}, raised_minor: {_gt: 15000}}}) { id }
      counted: up_masjids(where: {campaigns_aggregate: {max: {predicate: {raised_minor: {_gt: 15000}}, filter: {id: {_eq: $id}}}}}) { id }
      sorted: ua_campaigns(where: {id: {_eq: $id}}, order_by: {raised_minor: desc}, distinct_on: raised_minor, offset: 0) { raised_minor }
      cursor: ua_campaigns(where: {id: {_eq: $id}}, order_by: {raised_minor: desc}) { _cursor }
      totals: ua_campaigns_aggregate(where: {id: {_eq: $id}}, group_by: raised_minor) {
        aggregate { sum { raised_minor } max { raised_minor } min { raised_minor } avg { raised_minor } }
        groups { keys { raised_minor } aggregate { sum { raised_minor } } } }
      below: up_masjids(where: {slug: {_eq: "masjid-2"}}) { campaigns_aggregate(where: {id: {_eq: $id}}) { aggregate { sum { raised_minor } } } }
    }`
    const rounded = (sum: number): Data => ({
      sorted: [{ raised_minor: sum }],
      totals: {
        aggregate: {
          sum: { raised_minor: sum },
          max: { raised_minor: sum },
          min: { raised_minor: sum },
          avg: { raised_minor: sum },
        },
        groups: [{ keys: { raised_minor: sum }, aggregate: { sum: { raised_minor: sum } } }],
      },
      below: [{ campaigns_aggregate: { aggregate: { sum: { raised_minor: sum } } } }],
    })
    for (const client of outsiders) {
      const { cursor, ...data } = await ask(client, query, { id: campaign, sum: 28_000 })
      assert.deepEqual(data, { equal: [], more: [], none: [], parent: [], counted: [], ...rounded(15_000) })
      assert.match(Buffer.from(cursor[0]._cursor, 'base64url').toString(), /"15000"/)
    }
    for (const client of own) {
      const { cursor, ...data } = await ask(client, query, { id: campaign, sum: 28_000 })
      const found = [{ id: campaign }]
      const at = [{ id: masjid }]
      assert.deepEqual(data, { equal: found, more: found, none: [], parent: at, counted: at, ...rounded(28_000) })
      assert.match(Buffer.from(cursor[0]._cursor, 'base64url').toString(), /"28000"/)
    }
  })

  test('gifts in one statement are counted in steps of five, and concurrent gifts are all counted', async () => {
    const campaign = await newCampaign()
    // Gifts are published in the order of their arrival, so each has its own moment: the first ten are from all five people.
    await minaret().service.database.run(sql`
      insert into public.ua_donations (masjid_id, campaign_id, member_id, amount_minor, currency, method, status, received_at)
      select ${masjid}, ${campaign}, (${hiddenMembers.map(memberId)}::uuid[])[1 + n % 5], 100, 'USD', 'card', 'succeeded',
        now() - interval '1 hour' + n * interval '1 second'
      from generate_series(1, 13) n`)
    assert.deepEqual(await sums(outsiders, campaign), [1000, 1000, 1000])
    await Promise.all(hiddenMembers.flatMap(member => [give(campaign, member, 100), give(campaign, member, 100)]))
    assert.deepEqual(await sums(own, campaign), [2300, 2300])
    // Whether a step of concurrent gifts covers five people is chance; two rounds one after another settle it.
    for (const member of [...hiddenMembers, ...hiddenMembers]) await give(campaign, member, 100)
    assert.deepEqual(await sums(outsiders, campaign), [3000, 3000, 3000])
    assert.deepEqual(await sums(own, campaign), [3300, 3300])
  })

  test('cannot be set by writing the campaign', async () => {
    const campaign = await newCampaign()
    await minaret().service.database.run(sql`update public.ua_campaigns set raised_minor = 123 where id = ${campaign}`)
    assert.deepEqual(await sums(outsiders, campaign), [null, null, null])
  })
})

// A person's own totals are always shown; board members cannot use their own rows to single out others.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { masjidId, memberId, userId } from '../../graphql/fixture.ts'
import { everything, grantWith, useEngine } from '../../graphql/use-engine.ts'

const graphql = useEngine()
const asUser = (number: number) =>
  grantWith([...everything.scopes], { kind: 'user', userId: userId(number), masjids: [], ownMasjids: [] })

describe('totals over a person’s own rows', () => {
  test('are shown for one gift, for several, by group, by filter, and for none', async () => {
    const query = `{ all: ua_donations_aggregate(group_by: fund) { aggregate { count sum { amount_minor } max { amount_minor } } groups { aggregate { count } } }
      one: ua_donations_aggregate(where: {amount_minor: {_eq: "1000"}}) { aggregate { count sum { amount_minor } } }
      none: ua_donations_aggregate(where: {amount_minor: {_lt: "0"}}) { aggregate { count sum { amount_minor } } }
      below: ua_members { donations_aggregate { aggregate { count } } }
      found: ua_members(where: {donations_aggregate: {count: {predicate: {_eq: 3}}}}) { id } }`
    const { all, one, none, below, found } = await graphql().ask(query, { grant: asUser(2) })
    // Member 2 gave gifts 1, 15 and 29.
    assert.deepEqual(all.aggregate, { count: 3, sum: { amount_minor: 45_000 }, max: { amount_minor: 29_000 } })
    assert.deepEqual(all.groups, [{ aggregate: { count: 3 } }])
    assert.deepEqual(one.aggregate, { count: 1, sum: { amount_minor: 1000 } })
    assert.deepEqual(none.aggregate, { count: 0, sum: { amount_minor: null } })
    assert.deepEqual(below, [{ donations_aggregate: { aggregate: { count: 3 } } }])
    assert.deepEqual(found, [{ id: memberId(2) }])
  })

  test('together with four others’ are not: the difference would be a total over four', async () => {
    const total = async (members: readonly number[]): Promise<unknown> => {
      const ids = members.map(memberId)
      const query = 'query ($ids: [uuid!]) { ua_members_aggregate(where: {id: {_in: $ids}}) { aggregate { count } } }'
      return (await graphql().ask(query, { grant: asUser(1), variables: { ids } })).ua_members_aggregate.aggregate
    }
    assert.deepEqual(await total([1]), { count: 1 })
    assert.equal(await total([1, 3]), null)
    assert.equal(await total([1, 3, 5, 7, 9]), null)
    assert.deepEqual(await total([1, 3, 5, 7, 9, 11]), { count: 6 })
  })

  test('anonymous gifts are not one’s own', async () => {
    await graphql().database.run(sql`
      insert into ua_donations (masjid_id, is_anonymous, amount_minor, currency, method, status, received_at)
      values (${masjidId(2)}, true, 7777, 'USD', 'cash', 'succeeded', now())`)
    const { ua_donations_aggregate } = await graphql().ask(
      '{ ua_donations_aggregate(where: {is_anonymous: {_eq: true}}) { aggregate { sum { amount_minor } } nodes { amount_minor } } }',
      { grant: asUser(1) },
    )
    assert.equal(ua_donations_aggregate.nodes.length, 1)
    assert.equal(ua_donations_aggregate.aggregate, null)
  })
})

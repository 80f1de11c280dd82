import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../src/db/sql.ts'
import { goodRows, groundwork, ids } from './good-rows.ts'
import { insertRow, useDatabase, type Values } from './use-database.ts'

const second = '10000000-0000-4000-8000-000000000099'
const model = useDatabase(async owner => {
  for (const [table, values] of groundwork) await insertRow(owner, table, values)
  await insertRow(owner, 'ua_campaigns', { ...goodRows.ua_campaigns, id: second })
})

const give = (values: Values = {}) => insertRow(model().owner, 'ua_donations', { ...goodRows.ua_donations, ...values })
const raised = async (campaign = ids.campaign): Promise<number> => {
  const row = await model().owner.first<{ raised_minor: string }>(
    sql`select raised_minor from campaign_ledgers where campaign_id = ${campaign}`,
  )
  return Number(row?.raised_minor)
}
/** By how much the change moved the campaign's total. */
const moved = async (change: () => Promise<unknown>, campaign = ids.campaign): Promise<number> => {
  const before = await raised(campaign)
  await change()
  return (await raised(campaign)) - before
}
const set = (id: string, assignments: Sql) => () =>
  model().owner.run(sql`update ua_donations set ${assignments} where id = ${id}`)

test('a gift counts when it succeeded, not while it is pending or when it failed', async () => {
  assert.equal(await moved(() => give()), 5000)
  assert.equal(await moved(() => give({ status: 'pending', received_at: null })), 0)
  assert.equal(await moved(() => give({ status: 'failed', received_at: null })), 0)
})

test('the total follows every change of a gift: refunded, moved, deleted, removed', async () => {
  const id = await give()
  assert.equal(await moved(set(id, sql`refunded_minor = 2000`)), -2000)
  assert.equal(await moved(set(id, sql`campaign_id = ${second}`), second), 3000)
  assert.equal(await moved(set(id, sql`campaign_id = ${ids.campaign}`), second), -3000)
  assert.equal(await moved(set(id, sql`deleted_at = now()`)), -3000)
  assert.equal(await moved(set(id, sql`deleted_at = null`)), 3000)
  assert.equal(await moved(() => model().owner.run(sql`delete from ua_donations where id = ${id}`)), -3000)
})

test('concurrent gifts are all counted', async () => {
  const gifts = Array.from({ length: 20 }, () => () => give())
  assert.equal(await moved(() => Promise.all(gifts.map(gift => gift()))), 20 * 5000)
})

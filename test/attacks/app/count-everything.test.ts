// Every row of the prayer-times view is computed, so counting all of them keeps the database busy for seconds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../../support/minaret.ts'
import { ask } from '../../support/sandbox.ts'

const minaret = useMinaret()

const refused = [
  '{ pc_prayer_times_aggregate { aggregate { count } } }',
  '{ a1: pc_prayer_times_aggregate(where: {}) { aggregate { max { adhan_at } } } }',
  '{ pc_prayer_times_aggregate(where: {prayer: {_eq: fajr}}) { aggregate { count } } }',
  '{ pc_prayer_times_aggregate(where: {_or: [{date: {_eq: "2026-01-01"}}, {session: {_gt: 0}}]}) { aggregate { count } } }',
  '{ pc_prayer_times_aggregate(group_by: [prayer]) { groups { keys { prayer } aggregate { count } } } }',
]

for (const query of refused)
  test(`refused before it runs, with a hint: ${query}`, async () => {
    const { errors } = await ask(minaret().sandboxUrl, { query })
    assert.equal(errors?.[0]?.extensions.code, 'too-costly')
    assert.match(errors?.[0]?.message ?? '', /Filter by masjid_id or date/)
  })

const answered = [
  '{ pc_prayer_times_aggregate(where: {date: {_eq: "2026-01-01"}}) { aggregate { count } } }',
  '{ pc_prayer_times_aggregate(where: {_and: [{masjid: {slug: {_eq: "x"}}}]}) { aggregate { count } } }',
  '{ pc_prayer_times_aggregate(limit: 5) { aggregate { count } } }',
  '{ pc_prayer_times_aggregate(limit: 5) { nodes { prayer } } }',
  '{ up_masjids(limit: 5) { prayer_times_aggregate { aggregate { count } } } }',
]

for (const query of answered)
  test(`answered: ${query}`, async () => {
    const { data, errors } = await ask(minaret().sandboxUrl, { query })
    assert.ok(data !== undefined, JSON.stringify(errors))
  })

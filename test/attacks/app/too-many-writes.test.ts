// One short document that stands for tens of thousands of statements: it would keep the only thread busy for seconds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../src/graphql/limits/limits.ts'
import { HERE, useWriting } from '../../graphql/write/use-writing.ts'
import { cpuMs } from '../thread-cost.ts'

const writing = useWriting()

const objects = (count: number) => Array.from({ length: count }, (_, at) => ({ masjid_id: HERE, name: `Author ${at}` }))
const inserts = (fields: number, rest = '') => {
  const field = (at: number) => `f${at}: insert_up_lib_authors(objects: $objects${rest}) { affected_rows }`
  return `mutation ($objects: [up_lib_authors_insert_input!]!) { ${Array.from({ length: fields }, (_, at) => field(at)).join(' ')} }`
}

/** The longest time for which the thread works without a pause: a neighbour waits as long for a response. */
const stallDuring = async (request: Promise<unknown>): Promise<number> => {
  let [longest, running, last] = [0, true, cpuMs()]
  const done = request.finally(() => {
    running = false
  })
  while (running) {
    await new Promise(resolve => setImmediate(resolve))
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  await done
  return longest
}

test('the same thousand objects in every root field are refused after a few', async () => {
  const variables = { objects: objects(1000) }
  const sending = writing().error(inserts(30), { variables })
  const stall = await stallDuring(sending)
  const { extensions, message } = await sending
  assert.equal(extensions.code, 'too-many-rows', message)
  assert.match(message, new RegExp(`at most ${limits.writes} times`))
  assert.ok(stall < 1500, `the thread was busy for ${stall} ms`)
  assert.deepEqual(await writing().rows('select from up_lib_authors'), [])
})

test('an endless list of updates, or a long selection for each of many, is refused', async () => {
  const update = { where: { name: { _eq: 'x' } }, _set: { rating: 1 }, max_affected: 1 }
  const many = (selection: string, count: number) =>
    writing().error(
      `mutation ($updates: [up_lib_authors_updates!]!) { update_up_lib_authors_many(updates: $updates) { ${selection} } }`,
      { variables: { updates: Array.from({ length: count }, () => ({ ...update, where: { rating: { _gt: 3 } } })) } },
    )
  assert.equal((await many('affected_rows', limits.writes + 1)).extensions.code, 'too-many-conditions')
  const empty = Array.from({ length: limits.writes + 1 }, () => ({ ...update, where: {} }))
  const { extensions } = await writing().error(
    'mutation ($updates: [up_lib_authors_updates!]!) { update_up_lib_authors_many(updates: $updates) { affected_rows } }',
    { variables: { updates: empty } },
  )
  assert.equal(extensions.code, 'too-many-rows')
  const selection = Array.from({ length: 150 }, (_, at) => `n${at}: name`).join(' ')
  assert.equal((await many(`returning { ${selection} }`, 900)).extensions.code, 'too-many-fields')
})

test('a long condition of on_conflict is not repeated for every object without end', async () => {
  const long = Array.from({ length: 400 }, (_, at) => `{rating: {_neq: ${at}}}`).join(' ')
  const conflict = `, on_conflict: {constraint: up_lib_authors_lower_name, update_columns: [name], where: {_and: [${long}]}}`
  const sending = writing().error(inserts(1, conflict), { variables: { objects: objects(1000) } })
  assert.ok((await stallDuring(sending)) < 3000)
  assert.equal((await sending).extensions.code, 'too-many-conditions')
})

test('a batch writes no more than one operation may, and the rest of it is not planned', async () => {
  const query = inserts(1)
  const { body, text } = await writing().send(
    Array.from({ length: 10 }, () => ({ query, variables: { objects: objects(220) } })),
  )
  assert.equal(
    (body as unknown as { errors: { extensions: { code: string } }[] }[])[0]?.errors[0]?.extensions.code,
    'too-costly',
    text,
  )
  assert.deepEqual(await writing().rows('select from up_lib_authors'), [])
})

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { holds, isOftenEnough, passes } from './holds.ts'

const names = ['PROPERTY_SEED', 'PROPERTY_FRESH_SEED', 'PROPERTY_EFFORT']
const given = names.map(name => [name, process.env[name]] as const)
const set = (name: string, value: string | undefined): void => {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}
beforeEach(() => names.forEach(name => void set(name, undefined)))
afterEach(() => given.forEach(([name, value]) => void set(name, value)))

const generated = async (): Promise<number[]> => {
  const values: number[] = []
  await holds(fc.property(fc.nat(), value => void values.push(value)))
  return values
}

test('every property test uses this helper, so that its seed is known', () => {
  const root = new URL('../../', import.meta.url)
  const files = globSync('{src,test,demo,bench}/**/*.ts', { cwd: root, exclude: ['**/node_modules'] })
  const own = files.filter(file =>
    /\bfc\s*\.\s*(assert|check|sample)\(/.test(readFileSync(new URL(file, root), 'utf8')),
  )
  assert.deepEqual(own, ['test/support/holds.ts'])
})

test('without a fixed seed every run tries other values', async () => {
  assert.equal(passes().length, 1)
  assert.notDeepEqual(await generated(), await generated())
})

test('a fixed seed repeats a run, and a short pass with the fresh seed follows', async () => {
  set('PROPERTY_SEED', '7')
  set('PROPERTY_FRESH_SEED', '8')
  assert.deepEqual(passes(), [
    { seed: 7, effort: 1 },
    { seed: 8, effort: 0.1 },
  ])
  const values = await generated()
  assert.equal(values.length, 110)
  assert.deepEqual(await generated(), values)
  set('PROPERTY_SEED', '8')
  assert.deepEqual((await generated()).slice(0, 10), values.slice(100), 'the seed repeats the short pass')
})

test('the effort multiplies the runs', async () => {
  set('PROPERTY_EFFORT', '3')
  assert.equal((await generated()).length, 300)
})

test('a failure names the seed that repeats it and the smallest counter-example', async () => {
  set('PROPERTY_SEED', '7')
  const property = fc.property(fc.nat(1000), value => assert.ok(value < 500))
  await assert.rejects(holds(property), /Counterexample: \[500\][\s\S]*Repeat it with PROPERTY_SEED=7/)
})

test('a failure in the short pass names the fresh seed', async () => {
  set('PROPERTY_SEED', '7')
  set('PROPERTY_FRESH_SEED', '8')
  let tried = 0
  const property = fc.property(fc.nat(), () => {
    tried += 1
    assert.ok(tried <= 100)
  })
  await assert.rejects(holds(property), /Repeat it with PROPERTY_SEED=8/)
})

test('kept counter-examples are tried first, in every pass', async () => {
  const seen: number[] = []
  await holds(
    fc.property(fc.nat(10), value => void seen.push(value)),
    { cases: [[999], [998]] },
  )
  assert.deepEqual(seen.slice(0, 2), [999, 998])
  assert.equal(seen.length, 102)
})

test('a share is judged with a margin for chance', () => {
  assert.equal(isOftenEnough(0, 20, 0.1), true, 'twenty runs prove nothing')
  assert.equal(isOftenEnough(0, 3000, 0.1), false)
  assert.equal(isOftenEnough(270, 3000, 0.1), true)
  assert.equal(isOftenEnough(200, 3000, 0.1), false)
})

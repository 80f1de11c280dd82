import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../../base/log.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { createShowcase } from './showcase.ts'

const parts = { clock: { now: () => new Date() }, log: createLogger('silent'), query: () => '{ a }' }

/** Whatever is asked of it, it behaves like this. */
const engineThat = (behaves: () => unknown): Engine => new Proxy({} as Engine, { get: behaves })

test('a sandbox that fails is left out of the page, and asked again only after a while', async () => {
  let asked = 0
  const showcase = createShowcase({
    ...parts,
    engine: engineThat(() => {
      asked += 1
      throw new Error('no database')
    }),
  })
  assert.deepEqual(await showcase(), { showcase: undefined, seconds: 0 })
  const first = asked
  assert.ok(first > 0)
  assert.deepEqual(await showcase(), { showcase: undefined, seconds: 0 })
  assert.equal(asked, first)
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { underWay } from '../../base/under-way.ts'
import { callWitness, type Testimony, WITNESS } from './witness.ts'

const ask = (): Testimony => {
  callWitness()
  return JSON.parse(runInThisContext(WITNESS) as string) as Testimony
}

after(() => Reflect.deleteProperty(globalThis, Symbol.for('minaret.witness')))

test('a request is described by names and a hash, never by what the client sent', () => {
  const document = 'query Mine { up_masjids(where: {name: {_eq: "Dar al-Salam"}}) { id } }'
  const { request } = underWay.run({ method: 'POST', route: '/v1/graphql', id: 'one' }, () => {
    underWay.note({ operation: 'Mine', document })
    return ask()
  })
  const hash = createHash('sha256').update(document).digest('hex').slice(0, 16)
  assert.deepEqual(request, {
    method: 'POST',
    route: '/v1/graphql',
    requestId: 'one',
    operation: 'Mine',
    document: hash,
  })
})

test('a name that a client chose is cut', () => {
  const { request } = underWay.run({ method: 'POST', route: '/v1/graphql', operation: 'a'.repeat(100_000) }, ask)
  assert.equal(request?.operation?.length, 80)
})

test('outside of requests there is none; the functions that run are told in any case', () => {
  const { request, calls } = ask()
  assert.equal(request, undefined)
  assert.ok(
    calls.some(call => call.includes('src/service/watchdog/witness.test.ts')),
    calls.join('\n'),
  )
})

test('another request is told from the same one, also if it looks the same', () => {
  callWitness()
  const isSame = (): boolean => (JSON.parse(runInThisContext(WITNESS) as string) as Testimony).isSame
  const one = { method: 'GET', route: '/find' }
  assert.ok(!underWay.run(one, isSame), 'the first')
  assert.ok(underWay.run(one, isSame))
  assert.ok(!underWay.run({ ...one }, isSame))
})

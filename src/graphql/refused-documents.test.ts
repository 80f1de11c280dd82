import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GraphQLError } from 'graphql'
import { Fault } from '../base/fault.ts'
import { KnownRefusal } from './errors.ts'
import { createRefusedDocuments, type RefusedKey } from './refused-documents.ts'

const asked = (text: string, scopeKey = 'masjid:read'): RefusedKey => ({ scopeKey, stage: 'document', text })

const refusing = (work: { count: number }) => (): never => {
  work.count += 1
  throw new GraphQLError(`no ${work.count}`)
}

test('a refused document is refused again from the cache, with the same errors', () => {
  const refused = createRefusedDocuments()
  const work = { count: 0 }
  assert.throws(() => refused.unlessRefused(asked('{ x }'), refusing(work)), GraphQLError)
  assert.throws(
    () => refused.unlessRefused(asked('{ x }'), refusing(work)),
    error => error instanceof KnownRefusal && error.refusal.errors[0]?.message === 'no 1',
  )
  assert.equal(work.count, 1)
})

test('never for other scopes, another stage or another text', () => {
  const refused = createRefusedDocuments()
  const work = { count: 0 }
  assert.throws(() => refused.unlessRefused(asked('{ x }'), refusing(work)))
  assert.equal(
    refused.unlessRefused(asked('{ x }', 'masjid:read events:read'), () => 'seen'),
    'seen',
  )
  assert.equal(
    refused.unlessRefused({ ...asked('{ x }'), stage: 'plan' }, () => 'seen'),
    'seen',
  )
  assert.equal(
    refused.unlessRefused(asked('{ x } '), () => 'seen'),
    'seen',
  )
})

test('large documents are told apart by their hash', () => {
  const refused = createRefusedDocuments()
  const large = 'x'.repeat(100_000)
  assert.throws(() => refused.unlessRefused(asked(large), refusing({ count: 0 })))
  assert.ok(refused.bytes < 4000, `${refused.bytes} bytes are kept of a document of 100,000`)
  assert.equal(
    refused.unlessRefused(asked(`${large}y`), () => 'seen'),
    'seen',
  )
})

test('an internal error, or a temporary limit, is not cached', () => {
  const refused = createRefusedDocuments()
  const faults = [new Error('ours'), new Fault({ code: 'too_many_requests', status: 429, message: 'wait' })]
  for (const fault of faults) {
    assert.throws(() =>
      refused.unlessRefused(asked('{ x }'), () => {
        throw fault
      }),
    )
    assert.equal(
      refused.unlessRefused(asked('{ x }'), () => 'seen'),
      'seen',
    )
  }
})

test('the memory for refusals is bounded', () => {
  const refused = createRefusedDocuments(256 * 1024)
  for (let count = 0; count < 2000; count += 1) {
    assert.throws(() => refused.unlessRefused(asked(`{ x${count} }`), refusing({ count })))
    assert.ok(refused.bytes <= 256 * 1024)
  }
  assert.ok(refused.bytes > 0)
})

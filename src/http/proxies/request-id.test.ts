import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestId } from './request-id.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const idOf = (given: string | undefined, trusted = true): string =>
  requestId(given === undefined ? {} : { 'x-request-id': given }, () => trusted)

test('what proxies write is kept', () => {
  for (const id of [
    '1f0c7a9e-5b1e-4d52-9d6a-7f2f0a4c11aa',
    '0f3a1c9b7e2d4c6f8a0b1c2d3e4f5a6b',
    '7F000001:8296_7F00001E:1F90_4F7B0A69_0003:790',
    'fe1b2c#42',
    '1-67891233-abcdef012345678912345678',
    'x'.repeat(128),
  ])
    assert.equal(idOf(id), id)
})

test('what a stranger sends is not', () => {
  assert.match(idOf('proxy-1', false), UUID)
})

test('what is too long, or has other characters, or looks like a credential, is not', () => {
  const wrong = [
    '',
    ' ',
    'a b',
    'a,b',
    'a;b',
    '<b>',
    '"',
    "'",
    'a\\b',
    'é',
    '=1+1',
    '-1',
    '@a',
    'me@example.org',
    'x'.repeat(129),
  ]
  for (const id of [...wrong, 'mk_live_0123456789', `rt_${'a'.repeat(40)}`, 'eyJhbGciOi.eyJpc3Mi.c2ln'])
    assert.match(idOf(id), UUID, id)
})

test('without one each request has another', () => {
  const ids = Array.from({ length: 50 }, () => idOf(undefined))
  assert.equal(new Set(ids).size, 50)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSightings } from './sightings.ts'

const numbered = (number: number): Buffer =>
  Buffer.from(`{"query":"query Q($n: Int!) { a }","variables":{"n":${number}}}`)

test('a request counts as known from the second time on, as bytes and as an address', () => {
  const sightings = createSightings()
  for (const asked of [numbered(1), '/v1/graphql?query={a}']) {
    assert.equal(sightings.has(asked), false)
    assert.equal(sightings.note(asked), false)
    assert.equal(sightings.has(asked), true)
    assert.equal(sightings.note(asked), true)
  }
})

test('asking changes nothing', () => {
  const sightings = createSightings()
  for (let count = 0; count < 3; count += 1) assert.equal(sightings.has(numbered(1)), false)
  assert.equal(sightings.note(numbered(1)), false)
})

test('different requests are hardly ever taken for each other', () => {
  const sightings = createSightings()
  let mistaken = 0
  for (let number = 0; number < 200_000; number += 1) if (sightings.note(numbered(number))) mistaken += 1
  assert.ok(mistaken < 40, `${mistaken} of 200,000`)
})

test('as many as memory has answers for are remembered at the same time', () => {
  const sightings = createSightings()
  for (let number = 0; number < 16_000; number += 1) sightings.note(numbered(number))
  let known = 0
  for (let number = 0; number < 16_000; number += 1) if (sightings.has(numbered(number))) known += 1
  assert.ok(known > 15_000, `${known} of 16,000`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mediaTypeFor } from './media-type.ts'

const RESPONSE = 'application/graphql-response+json'
const JSON_TYPE = 'application/json'

for (const [accept, expected] of [
  [undefined, JSON_TYPE],
  ['', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/*', JSON_TYPE],
  [JSON_TYPE, JSON_TYPE],
  [RESPONSE, RESPONSE],
  [`${RESPONSE}; charset=utf-8, ${JSON_TYPE}; charset=utf-8`, RESPONSE],
  [`${JSON_TYPE};q=0.9, ${RESPONSE}`, RESPONSE],
  [`${RESPONSE};q=0.5, ${JSON_TYPE}`, JSON_TYPE],
  ['text/html, */*;q=0.1', JSON_TYPE],
  ['APPLICATION/JSON', JSON_TYPE],
] as const)
  test(`Accept: ${accept} is answered with ${expected}`, () => assert.equal(mediaTypeFor(accept), expected))

for (const accept of ['text/html', 'application/xml;q=1', `${JSON_TYPE};q=0`])
  test(`Accept: ${accept} cannot be satisfied`, () => assert.throws(() => mediaTypeFor(accept), { status: 406 }))

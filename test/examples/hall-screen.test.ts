// The example around the hall's screen: the address in it exists, and may stand in a page of another origin.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()

test('hall-screen: the screen in the example may be framed by a page of another origin', async () => {
  const example = readFileSync(new URL('../../examples/hall-screen/index.html', import.meta.url), 'utf8')
  const [, address = ''] = /<iframe src="http:\/\/localhost:3000([^"]*)"/.exec(example) ?? []
  const response = await fetch(minaret().baseUrl + address)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors \*/)
  assert.equal(response.headers.get('x-frame-options'), null)
  assert.match(await response.text(), /id="code"/)
})

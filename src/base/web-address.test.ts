import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../test/support/holds.ts'
import { isWebAddress } from './web-address.ts'

test('https URLs are accepted, with port, path, query and fragment', () => {
  for (const good of [
    'https://example.org',
    'HTTPS://Example.org/',
    'https://example.org:8443/a/b%20c?d=e&f=@g#h',
    'https://example.org/@name',
    'https://[2001:db8::1]/',
    'https://xn--mgbai9azgqp6j.example/',
  ])
    assert.ok(isWebAddress(good), good)
})

/** The target of a URL is what a browser makes of it. */
const leadsTo = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

const scheme = fc.constantFrom(
  'https:',
  'http:',
  'javascript:',
  'data:',
  'file:',
  'vbscript:',
  'blob:',
  'https',
  'HTTPS:',
  ' https:',
  'java\nscript:',
  '\u0001https:',
  '',
)
const slashes = fc.constantFrom('//', '/', '', '\\\\', '/\\', '///', '//\t')
const user = fc.constantFrom(
  '',
  'accounts.example@',
  'accounts.example:pw@',
  '@',
  ':@',
  'a%40b@',
  'accounts.example\\@',
)
const host = fc.constantFrom(
  'evil.test',
  'example.org',
  '',
  '[::1]',
  'evil.test:99999',
  'evil.test:443',
  'ex\u202eample.org',
  'еvil.test',
  '%65vil.test',
  '.',
  ' ',
)
const rest = fc.constantFrom(
  '',
  '/',
  '#',
  '/%0aalert(1)#',
  '/"onmouseover="x',
  "/'><script>",
  '?#',
  '/\u0000',
  '\\@evil.test',
  '/ b',
  '/a\nb',
  ',alert(1)',
)

test('whatever hostile parts it is made of, an accepted URL is https, has no user, and is safe in a link unchanged', async () => {
  const parts = fc.tuple(scheme, slashes, user, host, rest).map(all => all.join(''))
  await holds(
    fc.property(fc.oneof(parts, fc.webUrl(), fc.string({ unit: 'binary' })), text => {
      if (!isWebAddress(text)) return
      const url = leadsTo(text)
      assert.ok(url, text)
      assert.deepEqual([url.protocol, url.username, url.password], ['https:', '', ''], text)
      assert.notEqual(url.hostname, '')
      assert.doesNotMatch(text, /[\s"<>\\^`{|}]|\p{C}|[^\x20-\x7e]/u)
      assert.ok(text.length <= 2000)
    }),
    { runs: 3000 },
  )
})

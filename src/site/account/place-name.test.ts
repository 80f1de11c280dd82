import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { View } from '../frame/view.ts'
import { textsFor } from '../texts/texts.ts'
import { placeName } from './place-name.ts'

const view = { language: 'en', texts: textsFor('en') } as View

const words = (address: string | undefined, here?: string): string | undefined => placeName(view, address, here)?.text

test('the place of a session is said in words: this network, a local one, or another', () => {
  assert.match(words('93.184.216.34', '93.184.216.34') ?? '', /^From the network that you use now/)
  assert.match(words('2606:4700:1:2::a', '2606:4700:1:2::b') ?? '', /^From the network that you use now/)
  for (const local of ['127.0.0.1', '192.168.1.7', '10.0.0.1', 'fe80::1'])
    assert.match(words(local, '93.184.216.34') ?? '', /^From a local network/, local)
  assert.doesNotMatch(words('93.184.216.34', '1.1.1.1') ?? '', /network/)
  assert.doesNotMatch(words('not an address') ?? '', /network/)
  assert.equal(words(undefined, '1.1.1.1'), undefined)
})

// English: masjids and their verification.
import type { PluralForms } from '../../../base/in-words.ts'

export const adminMasjids = {
  search: 'Search',
  searchHint: 'A part of the name or city.',
  searchButton: 'Search',
  state: 'Verification',
  any: 'Any',
  states: { unverified: 'unverified', pending: 'pending', verified: 'verified', disputed: 'disputed' },
  count: { one: '{count} masjid', other: '{count} masjids' } as PluralForms,
  none: 'No masjid was found',
  noneText: 'Try fewer letters, or another state.',
  masjid: 'Masjid',
  place: 'Place',
  checked: 'Last verified',
  action: 'Change',
  verify: 'Verify',
  unverify: 'Take back',
  verifyNamed: 'Verify {name}',
  unverifyNamed: 'Take back the verification of {name}',
  done: 'The verification was changed.',
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCountryOf, methodOf, USUAL_METHOD } from './country.ts'

const countryOf = createCountryOf()

test('a zone leads to its country, by either of its names, and to the method there', () => {
  const expected = [
    ['Asia/Kolkata', 'IN', 'Karachi'],
    ['Asia/Calcutta', 'IN', 'Karachi'],
    ['Asia/Jakarta', 'ID', 'Kemenag'],
    ['Africa/Casablanca', 'MA', 'Morocco'],
    ['Asia/Riyadh', 'SA', 'UmmAlQura'],
    ['America/Indiana/Indianapolis', 'US', 'NorthAmerica'],
    ['Europe/London', 'GB', 'MoonsightingCommittee'],
    ['Asia/Yekaterinburg', 'RU', 'Russia'],
  ] as const
  for (const [zone, country, method] of expected) {
    assert.equal(countryOf(zone), country, zone)
    assert.equal(methodOf(country), method, zone)
  }
})

test('elsewhere and at sea, the Muslim World League', () => {
  for (const zone of ['Europe/Oslo', 'Etc/GMT+2', 'Antarctica/McMurdo']) {
    assert.equal(countryOf(zone), undefined, zone)
    assert.equal(methodOf(countryOf(zone)), USUAL_METHOD)
  }
})

// The rules for high latitudes beside each other, for a place and the year that begins.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testParameters } from '../../../test/support/masjid-parameters.ts'
import { compareRules, type RuleComparison, type RuleTimes } from './compare-rules.ts'

const compared = (latitude: number, longitude: number, timezone: string, today: string): RuleComparison =>
  compareRules({
    ...testParameters({ latitude, longitude, timezone, calculation_method: 'MuslimWorldLeague' }),
    today,
  })

const ruleIn = ({ rules }: RuleComparison, rule: RuleTimes['rule']): RuleTimes => {
  const found = rules.find(one => one.rule === rule)
  assert.ok(found)
  return found
}

test('London: the times of today and of 21 June on its clock, and the largest jump of the year', () => {
  const london = compared(51.5072, -0.1276, 'Europe/London', '2026-11-19')
  assert.deepEqual([london.solstice, london.differing], ['2027-06-21', ['fajr', 'isha']])
  const [plain, seventh, none] = [null, 'seventh_of_the_night' as const, 'none' as const].map(rule =>
    ruleIn(london, rule),
  )
  assert.equal(plain?.solstice.fajr, seventh?.solstice.fajr)
  assert.match(plain?.solstice.fajr ?? '', /^2027-06-21T03:4\d:00$/)
  assert.ok((plain?.jump.minutes ?? 0) > 140 && ['fajr', 'isha'].includes(plain?.jump.prayer ?? ''))
  // Clocks change by an hour twice; that is no jump.
  assert.ok((seventh?.jump.minutes ?? 99) < 6)
  assert.deepEqual([none?.solstice.fajr, none?.solstice.isha], [null, null])
  assert.ok((none?.missing.fajr ?? 0) > 50 && none?.missing.maghrib === 0)
})

test('in the southern hemisphere the solstice is 21 December, today at the latest', () => {
  const place = [-54.8, -68.3, 'America/Argentina/Ushuaia'] as const
  assert.equal(compared(...place, '2026-12-21').solstice, '2026-12-21')
  assert.equal(compared(...place, '2026-12-22').solstice, '2027-12-21')
})

test('Tromsø: sunrise, Asr and Maghrib differ too; near the equator nothing does', () => {
  const north = compared(69.65, 18.96, 'Europe/Oslo', '2026-11-19')
  assert.deepEqual(north.differing, ['fajr', 'sunrise', 'asr', 'maghrib', 'isha'])
  assert.ok(Object.values(ruleIn(north, 'nearest_day').missing).every(days => days === 0))
  assert.deepEqual(compared(1.35, 103.8, 'Asia/Singapore', '2026-11-19').differing, [])
})

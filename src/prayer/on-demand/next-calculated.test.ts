import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../base/civil-date.ts'
import type { Ask } from './ask-unstored.ts'
import { askNextCalculated } from './next-calculated.ts'

/** Of London in winter: Isha of the day after is at 18:00. */
const dayOf = (date: string): object => ({
  date,
  ...Object.fromEntries(
    ['fajr 06', 'dhuhr 12', 'asr 14', 'maghrib 16', 'isha 18'].flatMap(words => {
      const [prayer = '', hour] = words.split(' ')
      return [
        [prayer, `${date}T${hour}:00:00+00:00`],
        [`${prayer}_local`, `${date}T${hour}:00:00`],
      ]
    }),
  ),
})

interface Variables {
  readonly masjid?: string
  readonly from?: string
}

const answering = (answer: (variables: Variables) => readonly object[]): Ask =>
  (async ({ variables }: { variables: Variables }) => ({ days: answer(variables) })) as unknown as Ask

const threeDays = ({ from = '' }: Variables): readonly object[] => [0, 1, 2].map(days => dayOf(addDays(from, days)))

test('the next prayer is the first after the moment, tomorrow if the day is over', async () => {
  for (const [now, prayer, at] of [
    ['2027-01-10T13:59:59Z', 'asr', '2027-01-10T14:00:00+00:00'],
    ['2027-01-10T14:00:00Z', 'maghrib', '2027-01-10T16:00:00+00:00'],
    ['2027-01-10T18:00:00Z', 'fajr', '2027-01-11T06:00:00+00:00'],
  ] as const) {
    const next = (await askNextCalculated(answering(threeDays), ['one'], new Date(now))).get('one')
    assert.deepEqual([next?.prayer, next?.adhan_at, next?.source], [prayer, at, 'calculated'])
  }
})

test('a masjid that cannot be calculated, or has no times, concerns no other', async () => {
  const ask = answering(variables => {
    if (variables.masjid === 'deleted') throw new Error('the id of no masjid')
    return variables.masjid === 'polar' ? [{ ...dayOf('2027-01-10'), fajr: null, dhuhr: null }] : threeDays(variables)
  })
  const found = await askNextCalculated(ask, ['deleted', 'polar', 'one'], new Date('2027-01-10T20:00:00Z'))
  assert.deepEqual([...found.keys()], ['one'])
})

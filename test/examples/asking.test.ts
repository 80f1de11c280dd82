import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { publicTestKey } from '../../src/sandbox/public-test-key.ts'
import { runExample } from '../support/example.ts'
import { useMinaret } from '../support/minaret.ts'
import { ask } from '../support/sandbox.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const noPython = spawnSync('python3', ['--version']).status === 0 ? false : 'There is no python3 on this machine.'

test('query: the masjids of a city, page by page', async () => {
  const SANDBOX_URL = minaret().sandboxUrl
  const count = { query: '{ up_masjids_aggregate(where: {city: {_eq: "Chicago"}}) { aggregate { count } } }' }
  const { data } = await ask(SANDBOX_URL, count)
  const expected = Object(data?.up_masjids_aggregate).aggregate.count as number
  const { status, output } = await runExample('query/query.mjs', { SANDBOX_URL }, ['Chicago']).ended()
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`${expected} masjids in Chicago`))
  assert.equal(output.trim().split('\n').length, expected + 1)
  assert.ok(expected > 0)
})

test('python: today’s adhan and iqamah, with only the standard library', { skip: noPython }, async () => {
  const environment = { SANDBOX_URL: minaret().sandboxUrl }
  const { status, output } = await runExample('python/prayer_times.py', environment).ended()
  assert.equal(status, 0, output)
  assert.match(output, /Larkspur Lane Masjid/)
  assert.match(output, /hijri 14\d\d-\d\d-\d\d/)
  for (const prayer of ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'])
    assert.match(output, new RegExp(`^${prayer} +\\d\\d:\\d\\d +(\\d\\d:\\d\\d|–)`, 'm'))
})

test('python: an error is shown in one sentence', { skip: noPython }, async () => {
  const environment = { SANDBOX_URL: minaret().sandboxUrl, MINARET_KEY: `${publicTestKey}x` }
  const { status, output } = await runExample('python/prayer_times.py', environment).ended()
  assert.equal(status, 1)
  assert.match(output, /^invalid_token: .*\n$/)
})

// The alert rules, judged by Prometheus itself: its own program reads them, and runs them against series that it is given.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { temporaryFolder } from '../support/process.ts'
import { readPanels } from './dashboard.ts'

const promtool = process.env.PROMTOOL_PATH ?? ''
const skip = promtool === '' ? 'promtool was not found. On Debian it is in the package prometheus.' : false
const RULES = fileURLToPath(new URL('../../deploy/observability/alerts.yaml', import.meta.url))

const folder = temporaryFolder()
after(() => folder.remove())

const run = (...words: string[]): { readonly status: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync(promtool, words, { encoding: 'utf8', timeout: 60_000 })
  return { status, output: `${stdout}${stderr}` }
}

const write = (name: string, document: unknown): string => {
  const path = join(folder.path, name)
  writeFileSync(path, stringify(document))
  return path
}

test('Prometheus accepts every alert rule', { skip }, () => {
  const { status, output } = run('check', 'rules', RULES)
  assert.equal(status, 0, output)
  assert.match(output, /SUCCESS: \d+ rules found/)
})

/** Grafana's own variables stand for a time. */
test('Prometheus can parse every expression of the dashboard', { skip }, () => {
  const rules = readPanels().map(({ expression }, index) => ({
    record: `panel:${index}`,
    expr: expression.replaceAll(/\$__\w+/g, '5m').replaceAll(/\$\w+/g, '.*'),
  }))
  const { status, output } = run('check', 'rules', write('panels.yaml', { groups: [{ name: 'panels', rules }] }))
  assert.equal(status, 0, output)
})

interface Expected {
  readonly alert: string
  readonly series: Readonly<Record<string, string>>
  /** Minutes from the start. */
  readonly quietAt: number
  readonly firesAt: number
}

/** `0+6x60` are values a minute apart: 0, 6, 12 … */
const expectations: readonly Expected[] = [
  { alert: 'MinaretDown', series: { 'up{job="minaret", instance="a"}': '1x5 0x20' }, quietAt: 5, firesAt: 10 },
  {
    alert: 'MinaretDatabaseDown',
    series: { 'minaret_database_up{instance="a"}': '1x5 0x20' },
    quietAt: 5,
    firesAt: 10,
  },
  {
    alert: 'MinaretServerErrors',
    series: {
      'http_server_request_duration_seconds_count{http_response_status_code="200"}': '0+600x60',
      'http_server_request_duration_seconds_count{http_response_status_code="503"}': '0x20 0+60x40',
    },
    quietAt: 15,
    firesAt: 40,
  },
  {
    // A restart of the database has failed them for two minutes, and later they fail by themselves.
    alert: 'MinaretJobFailing',
    series: {
      'minaret_job_failures_total{job_name="outbox", cause="database"}': '0x5 0+10x2 20x60',
      'minaret_job_failures_total{job_name="outbox", cause="itself"}': '0x30 0+1x30',
    },
    quietAt: 15,
    firesAt: 50,
  },
  {
    // Requests failed for two minutes while the database restarted; later they go on failing.
    alert: 'MinaretServerErrors',
    series: {
      'http_server_request_duration_seconds_count{http_response_status_code="200"}': '0+600x90',
      'http_server_request_duration_seconds_count{http_response_status_code="503"}': '0x5 0+60x2 120x30 120+60x40',
    },
    quietAt: 12,
    firesAt: 60,
  },
  {
    alert: 'MinaretJobSilent',
    series: {
      'minaret_job_last_success_timestamp_seconds{job_name="outbox"}': '0+60x5 300x90',
      'minaret_database_up{instance="a"}': '1x5 0x40 1x45',
    },
    quietAt: 40,
    firesAt: 60,
  },
  {
    alert: 'MinaretProcessStuck',
    series: { 'minaret_stuck_processes_total{instance="a"}': '0x10 1x20' },
    quietAt: 10,
    firesAt: 13,
  },
  {
    alert: 'MinaretRestarts',
    series: { 'process_cpu_seconds_total{job="minaret", instance="a"}': '5+1x10 1+1x4 1+1x10' },
    quietAt: 12,
    firesAt: 19,
  },
]

/** That nothing fires: if something does, promtool says what, and fails. */
const checkSilence = ({ alert, series }: Expected, minutes: number): ReturnType<typeof run> => {
  const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }))
  const alert_rule_test = [{ eval_time: `${minutes}m`, alertname: alert, exp_alerts: [] }]
  const tests = [{ interval: '1m', input_series, alert_rule_test }]
  const document = { rule_files: [RULES], evaluation_interval: '1m', tests }
  return run('test', 'rules', write(`${alert}-${minutes}.yaml`, document))
}

test('alerts fire when they should, and not before', { skip }, () => {
  for (const expected of expectations) {
    const before = checkSilence(expected, expected.quietAt)
    assert.equal(before.status, 0, `${expected.alert} at ${expected.quietAt} minutes: ${before.output}`)
    const then = checkSilence(expected, expected.firesAt)
    assert.notEqual(then.status, 0, `${expected.alert} does not fire`)
    assert.match(then.output, new RegExp(`alertname="${expected.alert}"`))
  }
})

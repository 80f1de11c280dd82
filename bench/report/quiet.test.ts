import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCpuTicks, quietnessBetween, readCpuTicks, signsOfWork } from './quiet.ts'

const STAT = `cpu  1000 10 500 8000 100 5 15 370 0 0
cpu0 500 5 250 4000 50 2 8 185 0 0
intr 12345`

test('reads the ticks of all cores from /proc/stat', () => {
  assert.deepEqual(parseCpuTicks(STAT), { total: 10_000, busy: 1530, stolen: 370 })
  const { total, busy } = readCpuTicks()
  assert.ok(total > busy && busy > 0)
})

const from = { total: 0, busy: 0, stolen: 0 }

test('a quiet machine shows no signs of other work, however busy the benchmark is', () => {
  // 20 seconds of CPU, of which the benchmark used 19.5.
  const quietness = quietnessBetween(from, { total: 4000, busy: 2000, stolen: 10 }, 19.5)
  assert.deepEqual(quietness, { others: 0.0125, stolen: 0.0025, load: 0 })
  assert.deepEqual(signsOfWork(quietness), [])
})

test('other processes, stolen time and a high load are each named', () => {
  const busy = quietnessBetween(from, { total: 4000, busy: 3000, stolen: 200 }, 10)
  assert.deepEqual(signsOfWork({ ...busy, load: 1.5 }), [
    'other processes used 50 % of the CPU',
    'the host took 5 % of it away',
    'the load average was 1.5 for each core',
  ])
})

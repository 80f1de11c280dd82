// A run with one file at a time → a table of the CPU time of each file.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measured } from './measure.ts'

const cpu = ({ processes, cluster }: Measured): number => processes + cluster

const columns = (...values: readonly (string | number)[]): string =>
  values.map(value => (typeof value === 'number' ? value.toFixed(1) : value).padStart(9)).join(' ')

const describe = (measured: readonly Measured[]): string => {
  const sum = (pick: (one: Measured) => number): number => measured.reduce((total, one) => total + pick(one), 0)
  const line = (one: Measured): string => `${columns(cpu(one), one.processes, one.cluster, one.wall)}  ${one.file}`
  const processes = sum(one => one.processes)
  const cluster = sum(one => one.cluster)
  return [
    `${columns('CPU s', 'processes', 'cluster', 'wall s')}  file`,
    ...measured.toSorted((a, b) => cpu(b) - cpu(a)).map(line),
    `${columns(
      processes + cluster,
      processes,
      cluster,
      sum(one => one.wall),
    )}  in all`,
  ].join('\n')
}

/** Runs `work` with a place to write measurements to, and prints them. */
export const profiled = async <T>(work: () => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'minaret-profile-'))
  const file = join(folder, 'files.jsonl')
  process.env.MINARET_TEST_PROFILE = file
  try {
    return await work().finally(() => {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      console.log(describe(lines.map(line => JSON.parse(line) as Measured)))
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

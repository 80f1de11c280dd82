// One app (in the sandbox: one address) sends slow requests, eight at a time; how long do the small ones of others take?
import { createLogger } from '../../src/base/log.ts'
import { openDatabase } from '../../src/db/database.ts'
import {
  addLargeTable,
  barFor,
  measureStarvation,
  type Side,
  type Sides,
  untilExposed,
} from '../../test/attacks/starvation.ts'
import { type Bench, type Group, withServers } from '../bench-frame.ts'
import type { Reading } from '../report/bars.ts'
import { minaretCommand, startMinaret } from '../servers/minaret.ts'

const ATTACK_MS = 12_000
const QUICK_MS = 3000

const addTables = async ({ database }: Bench): Promise<void> => {
  const owner = openDatabase(database, { poolSize: 1, log: createLogger('silent') })
  try {
    await addLargeTable(owner, 'public')
    await addLargeTable(owner, 'sandbox')
  } finally {
    await owner.close()
  }
}

const keyOfAnotherApp = async ({ environment }: Bench): Promise<string> => {
  const words = ['--owner', 'bench@example.org', '--description', 'Asks too much', '--approve', '--name', 'Attacker']
  const app = await minaretCommand(
    environment,
    'app',
    'create',
    ...words,
    '--kind',
    'confidential',
    '--scope',
    'masjid:read',
  )
  const key = await minaretCommand(
    environment,
    'key',
    'create',
    '--client-id',
    String(app.client_id),
    '--scope',
    'masjid:read',
  )
  return String(key.key)
}

const at = (port: number, headers: Side['headers']): Side => ({ url: `http://127.0.0.1:${port}/v1/graphql`, headers })

const readingOf = async (bench: Bench, sides: Sides, where: string): Promise<Reading> => {
  for (const side of [sides.victim, sides.control]) await untilExposed(side)
  bench.progress.step(`starvation: slow counts, ${where}`)
  const milliseconds = bench.options.quick ? QUICK_MS : ATTACK_MS
  const { p95, quiet, beside } = await measureStarvation(sides, 'slow counts, each with its own alias', milliseconds)
  const shown = (figure: number): string => figure.toFixed(1)
  return {
    name: `starvation.${where}`,
    title: `p95 of others' small queries under attack, ${where}, over its bar (three times the quiet p95, or 100 ms)`,
    value: p95 / barFor(quiet),
    unit: '×',
    note: `${shown(p95)} ms; ${shown(quiet)} ms without the attack, ${shown(beside)} ms at a service beside it`,
  }
}

export const starvationGroup: Group = {
  name: 'starvation',
  run: bench =>
    withServers(async started => {
      await addTables(bench)
      const environment = { ...bench.environment, TRUST_PROXY: '1' }
      const attacked = await started(startMinaret(environment))
      const beside = await started(startMinaret(environment))
      const attacker = { authorization: `Bearer ${await keyOfAnotherApp(bench)}` }
      const victim = { authorization: `Bearer ${bench.tenants.key}` }
      const address = { 'x-forwarded-for': '203.0.113.1' }
      const apps = {
        attacker: at(attacked.port, attacker),
        victim: at(attacked.port, victim),
        control: at(beside.port, victim),
      }
      const addresses = {
        attacker: at(attacked.sandboxPort, {}),
        victim: at(attacked.sandboxPort, address),
        control: at(beside.sandboxPort, address),
      }
      const readings = [await readingOf(bench, apps, 'live'), await readingOf(bench, addresses, 'sandbox')]
      for (const { title, value, note } of readings) bench.progress.done(`${title}: ${value.toFixed(2)} (${note})`)
      return { results: [], readings }
    }),
}

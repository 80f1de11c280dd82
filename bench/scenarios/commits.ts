// Concurrent changes to events by plain SQL, with and without the triggers: commits must not wait for each other.
import type pg from 'pg'
import type { Bench } from '../bench-frame.ts'
import { connect } from '../data/connect.ts'
import { usageOf } from '../measure/process-usage.ts'
import type { Contender, Sample, Scenario } from '../measure/rounds.ts'
import { WITHOUT_TRIGGERS } from '../report/bars.ts'
import { eventId } from './questions.ts'

const WRITERS = 16

const UPDATE = 'update up_events set capacity = 50 + (coalesce(capacity, 0) + 1) % 100 where id = $1'

/** What the changes made due is done, so that no later scenario has to. */
const MAKE_DONE =
  'update occurrence_states set filled_revision = revision where filled_revision is distinct from revision'

type Change = (client: pg.Client) => Promise<unknown>

const changeFor = ({ sizes }: Bench): Change => {
  const upTo = (most: number): number => 1 + Math.floor(Math.random() * most)
  return client => {
    const id = eventId(upTo(sizes.masjids), upTo(sizes.eventsPerMasjid))
    return client.query({ name: 'change', text: UPDATE, values: [id] })
  }
}

const writeUntil = async (client: pg.Client, change: Change, end: number): Promise<number[]> => {
  const took: number[] = []
  while (performance.now() < end) {
    const began = performance.now()
    await change(client)
    took.push(performance.now() - began)
  }
  return took
}

const runOnce = async ({ cluster }: Bench, clients: readonly pg.Client[], change: Change, milliseconds: number) => {
  const before = usageOf(cluster.pid).cpuSeconds
  const started = performance.now()
  const each = await Promise.all(clients.map(client => writeUntil(client, change, started + milliseconds)))
  const took = each.flat().sort((one, other) => one - other)
  const sample: Sample = {
    requests: took.length,
    requestsPerSecond: (took.length * 1000) / (performance.now() - started),
    p50: took[Math.floor(took.length * 0.5)],
    p99: took[Math.floor(took.length * 0.99)],
    serverCpu: 0,
    databaseCpu: ((usageOf(cluster.pid).cpuSeconds - before) * 1000) / took.length,
    memory: 0,
  }
  return sample
}

const contender = (bench: Bench, name: string, setting: string): Contender => ({
  name,
  run: async milliseconds => {
    const clients = await Promise.all(Array.from({ length: WRITERS }, () => connect(bench.database)))
    try {
      await Promise.all(clients.map(client => client.query(`set session_replication_role = ${setting}`)))
      const sample = await runOnce(bench, clients, changeFor(bench), milliseconds)
      await clients[0]?.query(MAKE_DONE)
      return sample
    } finally {
      await Promise.all(clients.map(client => client.end()))
    }
  },
})

export const commitsScenario = (bench: Bench): Scenario => ({
  name: 'writing.commits',
  title: `${WRITERS} writers change events by SQL`,
  contenders: [contender(bench, 'Minaret', 'origin'), contender(bench, WITHOUT_TRIGGERS, 'replica')],
})

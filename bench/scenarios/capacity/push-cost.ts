// Subscriptions to a list that changes → what one pushed result costs.
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../../src/base/log.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { sql } from '../../../src/db/sql.ts'
import type { Bench } from '../../bench-frame.ts'
import { usageOf } from '../../measure/process-usage.ts'
import type { Minaret } from '../../servers/minaret.ts'
import { masjidId } from '../questions.ts'
import { openFollowers } from '../soak/followers.ts'
import type { Cost } from './cost.ts'

const SOCKETS = 20
const PER_SOCKET = 50
const PATIENCE_MS = 30_000

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (const end = performance.now() + PATIENCE_MS; !isSo(); await delay(10))
    if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`)
}

/** One change after the other, each once everybody has been told of the one before. */
export const pushCost = async ({ options, machinery, database, tenants }: Bench, minaret: Minaret): Promise<Cost> => {
  const owner = openDatabase(database, { poolSize: 1, log: createLogger('error') })
  const masjid = masjidId(1)
  const all = SOCKETS * PER_SOCKET
  const changes = options.quick ? 3 : 30
  const followers = openFollowers({
    port: minaret.port,
    key: tenants.key,
    masjid,
    sockets: SOCKETS,
    perSocket: PER_SOCKET,
  })
  try {
    await until('the first results', () => followers.results() >= all)
    const before = { service: usageOf(minaret.pid), database: usageOf(machinery.databasePid) }
    for (let change = 1; change <= changes; change += 1) {
      followers.forget()
      await owner.run(sql`update public.up_events set capacity = ${change} where masjid_id = ${masjid}`)
      await until(`change ${change}`, () => followers.results() >= all)
    }
    const perOne = (seconds: number): number => (seconds * 1000) / (changes * all)
    return {
      title: `a changed list of 10 events, pushed to one of ${all.toLocaleString('en-US')} subscriptions`,
      serviceMs: perOne(usageOf(minaret.pid).cpuSeconds - before.service.cpuSeconds),
      databaseMs: perOne(usageOf(machinery.databasePid).cpuSeconds - before.database.cpuSeconds),
    }
  } finally {
    followers.close()
    await owner.close()
  }
}

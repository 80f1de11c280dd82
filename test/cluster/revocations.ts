// Tokens that are revoked while something fails → those that a process took a second later.

import { setTimeout as delay } from 'node:timers/promises'
import type { InUse } from '../faults/mixed-load.ts'
import { getTokens, revoke, userinfo } from '../support/oauth.ts'
import { startWatch } from '../support/waited.ts'

const MOST_MS = 5000

interface RevocationWatch {
  /** How many were revoked and looked at. */
  looked(): number
  readonly accepted: readonly string[]
  stop(): Promise<void>
}

/** As on an idle machine; a busy one has its news by then, too. */
const aSecond = async (): Promise<void> => {
  const watch = startWatch()
  for (const until = performance.now() + MOST_MS; watch() < 1000 && performance.now() < until; ) await delay(50)
}

/** @param processes the base URL of each */
export const watchRevocations = ({ minaret, flow }: InUse, processes: readonly string[]): RevocationWatch => {
  const accepted: string[] = []
  let looked = 0
  let stopped = false
  const statusAt = async (baseUrl: string, token: string): Promise<number> => {
    const response = await userinfo({ ...minaret, baseUrl }, token)
    await response.text()
    return response.status
  }
  const look = async (): Promise<void> => {
    const { access_token: token } = await getTokens(minaret, flow)
    await Promise.all(processes.map(one => statusAt(one, token)))
    if ((await revoke(minaret, flow.app, token)).status !== 200) return
    await aSecond()
    const statuses = await Promise.all(processes.map(one => statusAt(one, token)))
    looked += 1
    for (const [index, status] of statuses.entries()) if (status === 200) accepted.push(`by ${processes[index]}`)
  }
  const watching = (async () => {
    while (!stopped) await look().catch(() => delay(50))
  })()
  return {
    looked: () => looked,
    accepted,
    stop: async () => {
      stopped = true
      await watching
    },
  }
}

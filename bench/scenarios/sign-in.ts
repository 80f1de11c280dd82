// What a sign-in costs, beside the hash of its password: that one is slow on purpose, and nothing else should be.
import { hashPassword, verifyPassword } from '../../src/accounts/password.ts'
import type { Bench } from '../bench-frame.ts'
import { usageOf } from '../measure/process-usage.ts'
import { median, medianInterval } from '../measure/statistics.ts'
import { isChosen } from '../options.ts'
import type { Reading } from '../report/bars.ts'
import type { Minaret } from '../servers/minaret.ts'
import { signIn } from './capacity/sign-in-cost.ts'

const NAME = 'authorization.sign-in'
/** Ticks of /proc are 10 ms long: a round takes some hundred of them. */
const EACH = 40

const times = async (work: () => Promise<unknown>): Promise<void> => {
  for (let count = 0; count < EACH; count += 1) await work()
}

const hashSeconds = async (hash: string): Promise<number> => {
  const before = process.cpuUsage()
  await times(() => verifyPassword(hash, { password: 'a long enough password', turnOf: '' }))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const signInSeconds = async (minaret: Minaret): Promise<number> => {
  const before = usageOf(minaret.pid)
  await times(() => signIn(minaret))
  return usageOf(minaret.pid).cpuSeconds - before.cpuSeconds
}

export const signInReadings = async ({ options, progress }: Bench, minaret: Minaret): Promise<readonly Reading[]> => {
  if (!isChosen(NAME, options)) return []
  progress.step('authorization: sign-ins beside the hash of their password')
  const hash = await hashPassword({ password: 'a long enough password', turnOf: '' })
  await signInSeconds(minaret)
  const ratios: number[] = []
  let last = { signIn: 0, hash: 0 }
  for (let round = 0; round < options.timing.rounds; round += 1) {
    last = { hash: await hashSeconds(hash), signIn: await signInSeconds(minaret) }
    ratios.push(last.signIn / last.hash)
  }
  const ms = (seconds: number): string => ((seconds * 1000) / EACH).toFixed(0)
  return [
    {
      name: NAME,
      title: 'CPU of the service for a sign-in with its page, against the hash of the password alone',
      value: median(ratios),
      interval: medianInterval(ratios),
      unit: '×',
      note: `${ms(last.signIn)} ms a sign-in, ${ms(last.hash)} ms a hash`,
    },
  ]
}

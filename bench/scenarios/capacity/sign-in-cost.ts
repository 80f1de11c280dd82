// Sign-ins, a few at a time → what one costs. Almost all of it is argon2id.
import { createPerson } from '../../../test/support/person.ts'
import type { Bench } from '../../bench-frame.ts'
import { usageOf } from '../../measure/process-usage.ts'
import type { Minaret } from '../../servers/minaret.ts'
import type { Cost } from './cost.ts'

const AT_ONCE = 4

export const signIn = async ({ port }: Minaret): Promise<void> => {
  const { status, text } = await createPerson(`http://127.0.0.1:${port}`).signIn(
    'bench@example.org',
    'a long enough password',
  )
  if (status !== 303 && status !== 302) throw new Error(`A sign-in was answered with ${status}: ${text.slice(0, 300)}`)
}

export const signInCost = async ({ options, machinery }: Bench, minaret: Minaret): Promise<Cost> => {
  const each = options.quick ? 2 : 25
  await signIn(minaret)
  const before = { service: usageOf(minaret.pid), database: usageOf(machinery.databasePid) }
  const people = Array.from({ length: AT_ONCE }, async () => {
    for (let count = 0; count < each; count += 1) await signIn(minaret)
  })
  await Promise.all(people)
  const perOne = (seconds: number): number => (seconds * 1000) / (each * AT_ONCE)
  return {
    title: 'sign-in with a password, with its page',
    serviceMs: perOne(usageOf(minaret.pid).cpuSeconds - before.service.cpuSeconds),
    databaseMs: perOne(usageOf(machinery.databasePid).cpuSeconds - before.database.cpuSeconds),
  }
}

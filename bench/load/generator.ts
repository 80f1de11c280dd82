// The parent's side of the load generator: a separate process that runs one job at a time.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Job, Outcome } from './job.ts'

export interface Generator {
  /** @throws if a response was not the expected one: a benchmark of errors is worth nothing. */
  run(job: Job): Promise<Outcome>
  stop(): void
}

type Message = { readonly outcome: Outcome } | { readonly fault: string }

const reject = (outcome: Outcome): void => {
  if (outcome.faults > 0)
    throw new Error(
      `${outcome.faults} of ${outcome.requests} answers were not as expected; the first: ${outcome.firstFault}`,
    )
}

export const startGenerator = (): Generator => {
  const child = fork(fileURLToPath(new URL('./process.ts', import.meta.url)), { serialization: 'advanced' })
  const ask = (job: Job): Promise<Message> =>
    new Promise((resolve, fail) => {
      const ended = (): void => fail(new Error('The load generator ended.'))
      child.once('exit', ended)
      child.once('message', message => {
        child.off('exit', ended)
        resolve(message as Message)
      })
      child.send(job)
    })
  return {
    run: async job => {
      const message = await ask(job)
      if ('fault' in message) throw new Error(message.fault)
      reject(message.outcome)
      return message.outcome
    },
    stop: () => child.disconnect(),
  }
}

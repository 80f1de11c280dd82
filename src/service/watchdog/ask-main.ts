// From another thread: interrupts the main thread wherever it is, and asks what it is doing there.
import { type Runtime, Session } from 'node:inspector'
import { type Testimony, WITNESS } from './witness.ts'

export interface MainThread {
  /** Calls back unless the main thread is inside of a native function, which cannot be interrupted. */
  ask(answer: (testimony: Testimony) => void): void
  /** Ends the process from inside. */
  exit(status: number): void
  leave(): void
}

/** Connected only while there is a reason: in an idle process this costs nothing. */
export const reachMainThread = (): MainThread => {
  let session: Session | undefined
  const evaluate = (expression: string, done: (value: unknown) => void): void => {
    try {
      if (session === undefined) {
        session = new Session()
        session.connectToMainThread()
      }
      session.post('Runtime.evaluate', { expression, returnByValue: true }, (error, found) => {
        if (error === null) done((found as Runtime.EvaluateReturnType).result.value)
      })
    } catch {
      // A runtime without an inspector: the process is ended all the same, without a name.
    }
  }
  return {
    ask: answer =>
      evaluate(WITNESS, value => {
        if (typeof value === 'string') answer(JSON.parse(value) as Testimony)
      }),
    exit: status => evaluate(`process.reallyExit(${status})`, () => undefined),
    leave: () => {
      session?.disconnect()
      session = undefined
    },
  }
}

// Work on the database that a client waits for → its result, or `database-unavailable` at the deadline.
import { databaseUnavailable } from './database-fault.ts'

/** The work itself goes on; its statements have time limits of their own. */
export const withinDeadline = <T>(ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(databaseUnavailable(new Error(`not done within ${Math.round(ms)} ms`)))
    const timer = setTimeout(giveUp, ms)
    work.then(
      value => {
        clearTimeout(timer)
        resolve(value)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })

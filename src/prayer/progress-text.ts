// Progress of the job → a line for whoever is waiting, a few times rather than for every chunk.
import type { Progress } from './job/run-job.ts'

/** Fewer are done before anyone could read the line. */
const WORTH_TELLING = 200
const STEPS = 10

export const progressText = (tell: (text: string) => void): ((progress: Progress) => void) => {
  let told = 0
  return ({ schema, done, total }) => {
    const step = Math.floor((done / total) * STEPS)
    if (total < WORTH_TELLING || step === told) return
    told = step
    const where = schema === 'sandbox' ? ' for the sandbox' : ''
    tell(`Calculating prayer times${where}: ${done} of ${total} masjids`)
  }
}

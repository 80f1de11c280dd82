// The load generator's process: receives jobs as messages and sends back outcomes.
import { generate } from './generate.ts'
import type { Job } from './job.ts'

process.on('message', async (job: Job) => {
  try {
    process.send?.({ outcome: await generate(job) })
  } catch (error) {
    process.send?.({ fault: (error as Error).message })
  }
})
process.once('disconnect', () => process.exit(0))

// How many workers were ended because their event loop was stuck. The first process counts them: one that is alone ends with the count.
import { type Counter, createCounter } from '../../metrics/counter.ts'

export const createStuckCounter = (): Counter =>
  createCounter({
    name: 'minaret_stuck_processes_total',
    help: 'Workers that were ended because their event loop made no turn during 5 s of CPU time.',
    labels: [],
    known: [[]],
  })

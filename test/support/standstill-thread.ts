// Runs in a thread of its own: adds up by how much its pauses were longer than asked for. While this thread does not run,
// the machine has no processor for us; what the main thread is doing meanwhile makes no difference.
import { workerData } from 'node:worker_threads'

const PAUSE_MS = 10

/** Milliseconds missed so far, then a cell that nothing ever writes to, for which waiting is a pause, and one that says that this runs. */
const [missed, cells] = workerData as readonly [BigInt64Array<SharedArrayBuffer>, Int32Array<SharedArrayBuffer>]

for (let last = performance.now(); ; ) {
  Atomics.store(cells, 1, 1)
  Atomics.wait(cells, 0, 0, PAUSE_MS)
  const now = performance.now()
  Atomics.add(missed, 0, BigInt(Math.max(0, Math.floor(now - last - PAUSE_MS))))
  last = now
}

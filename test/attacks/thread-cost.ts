// What requests cost the one thread that serves everyone, in milliseconds of CPU time. Waiting for the CPU is not
// counted, so that a busy machine does not look like a slow response. The client's share is included.

export const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** The median of `count` requests, sent one at a time: a collection of garbage belongs to none of them. */
export const threadCost = async (count: number, send: (index: number) => Promise<unknown>): Promise<number> => {
  await send(-1)
  const costs: number[] = []
  for (let index = 0; index < count; index += 1) {
    const before = cpuMs()
    await send(index)
    costs.push(cpuMs() - before)
  }
  return median(costs)
}

const costOf = async (work: () => unknown): Promise<number> => {
  const before = cpuMs()
  await work()
  return cpuMs() - before
}

/** One cost divided by another: the least of each, taken in turn, as other processes slow down some attempts and spare others. */
export const relativeCost = async (
  count: number,
  work: (index: number) => unknown,
  control: (index: number) => unknown,
): Promise<number> => {
  const costs: number[] = []
  const controls: number[] = []
  for (let index = -1; index < count; index += 1) {
    costs.push(await costOf(() => work(index)))
    controls.push(await costOf(() => control(index)))
  }
  return Math.min(...costs) / Math.min(...controls)
}

/** What the work below takes on the machine for which the bars in milliseconds were chosen. */
const REFERENCE_MS = 42
const OBJECTS = 12_000

const work = (): number => {
  const rows = Array.from({ length: OBJECTS }, (_, index) => ({
    id: index,
    name: `masjid ${index}`,
    at: new Date(index * 1e8),
  }))
  const text = rows.map(row => `${row.id},${row.name},${row.at.toISOString()}`).join('\n')
  return JSON.parse(JSON.stringify(rows)).length + text.replaceAll(/masjid (\d)/g, '$1').length
}

/** How many times slower than that machine this one is at the moment; at least 1. */
export const slowness = (): number => {
  const costs = Array.from({ length: 7 }, () => {
    const before = cpuMs()
    work()
    return cpuMs() - before
  })
  return Math.max(1, median(costs) / REFERENCE_MS)
}

// What requests cost the one thread that serves everyone, in milliseconds of CPU time. Waiting for the CPU is not
// counted, so that a busy machine does not look like a slow response. The client's share is included.

const cpuMs = (): number => {
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

/** The same for synchronous work. */
export const syncCost = (count: number, work: (index: number) => unknown): number => {
  work(-1)
  return median(
    Array.from({ length: count }, (_, index) => {
      const before = cpuMs()
      work(index)
      return cpuMs() - before
    }),
  )
}

// What requests cost the one thread that serves everyone, in milliseconds of CPU time. Waiting for the CPU is not
// counted, so that a busy machine does not look like a slow response. The client's share is included.

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The mean over `count` requests, sent one at a time. */
export const threadCost = async (count: number, send: (index: number) => Promise<unknown>): Promise<number> => {
  await send(-1)
  const before = cpuMs()
  for (let index = 0; index < count; index += 1) await send(index)
  return (cpuMs() - before) / count
}

/** The same for synchronous work. */
export const syncCost = (count: number, work: (index: number) => unknown): number => {
  work(-1)
  const before = cpuMs()
  for (let index = 0; index < count; index += 1) work(index)
  return (cpuMs() - before) / count
}

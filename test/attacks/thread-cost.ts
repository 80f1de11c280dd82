// What requests cost the one thread that answers everybody, in milliseconds of its CPU. Waiting for the machine is not
// counted, so that a busy machine does not look like a slow answer. The client's share is in it too.

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The mean over `count` requests, sent one after the other. */
export const threadCost = async (count: number, send: (index: number) => Promise<unknown>): Promise<number> => {
  await send(-1)
  const before = cpuMs()
  for (let index = 0; index < count; index += 1) await send(index)
  return (cpuMs() - before) / count
}

/** The same for something that does not wait. */
export const syncCost = (count: number, work: (index: number) => unknown): number => {
  work(-1)
  const before = cpuMs()
  for (let index = 0; index < count; index += 1) work(index)
  return (cpuMs() - before) / count
}

// A worker thread that sends eight slow requests at a time until it is told to stop, then reports the statuses it saw.
import { parentPort, workerData } from 'node:worker_threads'
import { type SlowRequests, type SlowRequestsName, slowRequests } from './slow-requests.ts'

export interface AttackerData {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** How many addresses it sends from, if the proxy is trusted. */
  readonly addresses: number
  readonly name: SlowRequestsName
}

const AT_A_TIME = 8
const LEFT = 0

const { url, headers: always, addresses, name } = workerData as AttackerData
const plan: SlowRequests = slowRequests[name]
const seen: Record<number, number> = {}
const over = new AbortController()
let count = 0

const headersOf = (): Record<string, string> => ({ ...always, 'x-forwarded-for': `198.51.100.${count % addresses}` })

const send = (body: unknown, signal: AbortSignal): Promise<Response> => {
  const headers = headersOf()
  if (plan.method === 'GET')
    return fetch(`${url}?${new URLSearchParams(body as Record<string, string>)}`, { headers, signal })
  const all = { 'content-type': 'application/json', ...headers }
  return fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body), signal })
}

const attackOnce = async (): Promise<number> => {
  const { leavesAfterMs } = plan
  const leaving = leavesAfterMs === undefined ? [] : [AbortSignal.timeout(leavesAfterMs)]
  const signal = AbortSignal.any([over.signal, ...leaving])
  count += 1
  try {
    const response = await send(plan.body(count), signal)
    await response.arrayBuffer()
    return response.status
  } catch {
    return LEFT
  }
}

const attack = async (): Promise<void> => {
  while (!over.signal.aborted) {
    const status = await attackOnce()
    seen[status] = (seen[status] ?? 0) + 1
  }
}

parentPort?.once('message', () => over.abort())
await Promise.all(Array.from({ length: AT_A_TIME }, attack))
parentPort?.postMessage(seen)

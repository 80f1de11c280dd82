// Requests at a steady pace, whether or not earlier ones were answered, as many clients would send them; or always so many at a time, to
// find out how many are possible. And what came of each.
import { Agent, request } from 'node:http'

export interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Answered {
  /** When it was sent, in milliseconds since the traffic began. */
  readonly at: number
  /** 0: no response. */
  readonly status: number
  readonly milliseconds: number
}

export interface Traffic {
  /** How many so far. */
  readonly count: number
  answered(): readonly Answered[]
  stop(): Promise<void>
}

export interface TrafficOptions {
  readonly port: number
  readonly pace: { readonly perSecond: number } | { readonly atOnce: number }
  readonly next: () => Sent
}

const TICK_MS = 10
/** Longer than the deadline of any request. */
const PATIENCE_MS = 15_000
/** More would only measure this process. */
const MOST_CONNECTIONS = 256

/**
 * As numbers in one block: hundreds of thousands of objects would keep the garbage collector of this process busy, and it would
 * measure itself.
 */
const createRecord = () => {
  const FIELDS = 3
  let numbers = new Float64Array(FIELDS * 100_000)
  let count = 0
  return {
    get count() {
      return count
    },
    add: (at: number, status: number, milliseconds: number): void => {
      if ((count + 1) * FIELDS > numbers.length) {
        const longer = new Float64Array(numbers.length * 2)
        longer.set(numbers)
        numbers = longer
      }
      numbers.set([at, status, milliseconds], count * FIELDS)
      count += 1
    },
    all: (): Answered[] =>
      Array.from({ length: count }, (_, index) => {
        const [at = 0, status = 0, milliseconds = 0] = numbers.subarray(index * FIELDS)
        return { at, status, milliseconds }
      }),
  }
}

export const startTraffic = ({ port, pace, next }: TrafficOptions): Traffic => {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS })
  const began = performance.now()
  const record = createRecord()
  let sent = 0
  let open = 0
  let isStopped = false

  const send = ({ path, headers, body }: Sent): void => {
    const at = performance.now() - began
    let isOver = false
    open += 1
    const finish = (status: number): void => {
      if (isOver) return
      isOver = true
      open -= 1
      record.add(at, status, performance.now() - began - at)
      if ('atOnce' in pace && !isStopped) send(next())
    }
    const options = { host: '127.0.0.1', port, path, method: 'POST', agent, timeout: PATIENCE_MS }
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const sending = request({ ...options, headers: { ...headers, ...length } }, response => {
      response.once('end', () => finish(response.statusCode ?? 0))
      response.once('error', () => finish(0))
      response.once('close', () => finish(0))
      response.resume()
    })
    sending.on('timeout', () => sending.destroy()).on('error', () => finish(0))
    sending.end(body)
  }

  const dueNow = (): number => ('atOnce' in pace ? pace.atOnce : ((performance.now() - began) / 1000) * pace.perSecond)
  const timer = setInterval(() => {
    for (const due = dueNow(); sent < due; sent += 1) send(next())
  }, TICK_MS)
  return {
    get count() {
      return record.count
    },
    answered: record.all,
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      for (const end = performance.now() + PATIENCE_MS; open > 0 && performance.now() < end; )
        await new Promise(resolve => setTimeout(resolve, 20))
      agent.destroy()
    },
  }
}

// In the main thread: what it is doing at this moment, for whoever interrupts it. The watchdog calls this through the inspector,
// which runs it between two instructions of whatever is in progress, endless loops included.
import { executionAsyncId } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type RequestUnderWay, underWay } from '../../base/under-way.ts'

export interface Testimony {
  /** Whether that is still what it was when last asked. */
  readonly isSame: boolean
  readonly request: DescribedRequest | undefined
  /** The functions that are being called, the innermost first. */
  readonly calls: readonly string[]
}

interface DescribedRequest {
  readonly method: string | undefined
  readonly route: string
  readonly requestId?: string | undefined
  readonly tool?: string | undefined
  readonly operation?: string | undefined
  /** The first digits of the SHA-256 of its GraphQL document, as in the log of slow statements. */
  readonly document?: string | undefined
}

/** The expression that the inspector is to evaluate. */
export const WITNESS = `JSON.stringify(globalThis[Symbol.for('minaret.witness')]?.())`

const MOST_CALLS = 12
/** This file and the expression itself. */
const OWN_CALLS = 2
/** Names are the client's words. */
const LONGEST_NAME = 80
const HASH_DIGITS = 16

const clip = (text: string | undefined): string | undefined => text?.slice(0, LONGEST_NAME)

const describe = ({ method, route, id, tool, operation, document }: RequestUnderWay): DescribedRequest => ({
  method,
  route: route ?? 'an unknown route',
  requestId: id,
  tool: clip(tool),
  operation: clip(operation),
  document:
    document === undefined ? undefined : createHash('sha256').update(document).digest('hex').slice(0, HASH_DIGITS),
})

const root = new URL('../../../', import.meta.url).href

const callsNow = (): string[] => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = MOST_CALLS + OWN_CALLS + 1
  const { stack = '' } = new Error('now')
  Error.stackTraceLimit = stackTraceLimit
  const lines = stack.split('\n').map(line => line.trim().replace(/^at /, '').replace(root, ''))
  return lines.slice(lines.findIndex(line => line.includes('<anonymous>:1:')) + 1).slice(0, MOST_CALLS)
}

/** Can be asked from now on. */
export const callWitness = (): void => {
  let request: RequestUnderWay | undefined
  let callback: number | undefined
  const testify = (): Testimony => {
    const now = underWay.current()
    // Outside of requests each event has an id.
    const isSame = callback !== undefined && now === request && (now !== undefined || callback === executionAsyncId())
    request = now
    callback = executionAsyncId()
    return { isSame, request: now === undefined ? undefined : describe(now), calls: callsNow() }
  }
  Object.defineProperty(globalThis, Symbol.for('minaret.witness'), { value: testify, configurable: true })
}

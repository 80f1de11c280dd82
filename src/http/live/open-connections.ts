// Connections that stay open → each shows a sign of life from time to time, not all at once; and all are ended when the process stops.
import { Fault } from '../../base/fault.ts'

interface OpenConnection {
  /** Shows that it is alive; ends if its client seems not to be. */
  beat(): void
  /** Ends in a way that makes the client connect again: by then, elsewhere. */
  leave(): void
}

export interface OpenConnections {
  /** @throws {Fault} `unavailable` once the process is stopping. */
  add(connection: OpenConnection): void
  delete(connection: OpenConnection): void
  leaveAll(): void
  readonly size: number
}

/** Proxies close a connection that is silent for a minute, some after half of that. */
const EVERY_MS = 15_000
const SLICES = 15

const stopping = (): Fault =>
  new Fault({
    code: 'unavailable',
    status: 503,
    message: 'The process is stopping. Connect again.',
    headers: { 'retry-after': '1' },
  })

export const createOpenConnections = (everyMs = EVERY_MS): OpenConnections => {
  const slices = Array.from({ length: SLICES }, () => new Set<OpenConnection>())
  const sliceOf = new Map<OpenConnection, Set<OpenConnection>>()
  let isLeaving = false
  let added = 0
  let turn = 0
  const timer = setInterval(() => {
    turn += 1
    for (const connection of slices[turn % SLICES] ?? []) connection.beat()
  }, everyMs / SLICES).unref()
  return {
    add: connection => {
      if (isLeaving) throw stopping()
      added += 1
      const slice = slices[added % SLICES] as Set<OpenConnection>
      sliceOf.set(connection, slice.add(connection))
    },
    delete: connection => {
      sliceOf.get(connection)?.delete(connection)
      sliceOf.delete(connection)
    },
    leaveAll: () => {
      isLeaving = true
      clearInterval(timer)
      for (const connection of [...sliceOf.keys()]) connection.leave()
    },
    get size() {
      return sliceOf.size
    },
  }
}

// The kernel's table of TCP sockets (/proc/net/tcp) → what waits at a listening port.

export interface PortQueue {
  /** Connections that are made, but not accepted yet. */
  readonly waiting: number
  /** Remote ports of those. */
  readonly from: ReadonlySet<number>
  /** Connections that are being made. */
  readonly halfOpen: number
}

const LISTENING = '0A'
const HALF_OPEN = '03'
/** Established, or so and already ended by the client. */
const MADE = new Set(['01', '08'])

interface Row {
  readonly localPort: number
  readonly remotePort: number
  readonly state: string
  /** Of a listening socket: how many wait to be accepted. */
  readonly queued: number
  /** 0 while no process has the socket. */
  readonly inode: string
}

const portOf = (address = ''): number => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)

const readRow = (line: string): Row => {
  const [, local, remote, state = '', queues = '', , , , , inode = ''] = line.trim().split(/\s+/)
  const queued = Number.parseInt(queues.slice(queues.indexOf(':') + 1), 16)
  return { localPort: portOf(local), remotePort: portOf(remote), state, queued, inode }
}

/** Undefined if nobody listens there, or more than one does. */
export const readPortQueue = (table: string, port: number): PortQueue | undefined => {
  const rows = table
    .split('\n')
    .filter(line => /^\s*\d+:/.test(line))
    .map(readRow)
  const ours = rows.filter(row => row.localPort === port)
  const [listening, ...others] = ours.filter(({ state }) => state === LISTENING)
  if (listening === undefined || others.length > 0) return undefined
  const made = ours.filter(({ state, inode }) => MADE.has(state) && inode === '0')
  return {
    waiting: listening.queued,
    from: new Set(made.map(({ remotePort }) => remotePort)),
    halfOpen: ours.filter(({ state }) => state === HALF_OPEN).length,
  }
}

import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { closePort, type ListeningHandle } from './close-port.ts'
import { readPortQueue } from './port-queue.ts'

/** Clients that connect, ask and connect again, in a thread of their own, until told to stop. */
const CLIENTS = `
const { connect } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const seen = { answered: 0, refused: 0, failed: [] }
let stopped = false
const once = port => new Promise(resolve => {
  let made = false, answer = ''
  const socket = connect(port, '127.0.0.1')
  socket.on('connect', () => { made = true; socket.write('x') })
  socket.on('data', chunk => (answer += chunk))
  socket.on('error', error => { if (made || error.code !== 'ECONNREFUSED') seen.failed.push(error.code) })
  socket.on('close', () => {
    if (answer === 'y') { if ((seen.answered += 1) === 50) parentPort.postMessage('busy') }
    else if (made) seen.failed.push('no answer')
    else if ((seen.refused += 1) === 1) parentPort.postMessage('refused')
    resolve()
  })
})
const go = async () => {
  while (!stopped) {
    await once(workerData.port)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
}
parentPort.once('message', () => { stopped = true })
Promise.all(Array.from({ length: workerData.clients }, go)).then(() => parentPort.postMessage(seen))
`

/** The clients take processors from it, as other tests do. */
const PATIENCE_MS = 30_000

interface Seen {
  readonly answered: number
  readonly refused: number
  readonly failed: readonly string[]
}

const listen = (): Promise<Server> =>
  new Promise(resolve => {
    const server = createServer(socket => {
      socket.on('error', () => undefined).on('data', () => socket.end('y'))
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

const whileConnecting = async (close: (server: Server) => Promise<unknown>): Promise<Seen> => {
  const server = await listen()
  const { port } = server.address() as AddressInfo
  const clients = new Worker(CLIENTS, { eval: true, workerData: { port, clients: 8 } })
  await new Promise(resolve => void clients.once('message', resolve))
  const refused = new Promise(resolve => void clients.once('message', resolve))
  await close(server)
  await refused
  const told = new Promise<Seen>(resolve => void clients.once('message', resolve))
  clients.postMessage('stop')
  const seen = await told
  await clients.terminate()
  return seen
}

test('closing a port that clients connect to all the time resets no connection', async () => {
  for (let round = 0; round < 6; round += 1) {
    const seen = await whileConnecting(server => {
      const handle = (server as unknown as { _handle: ListeningHandle })._handle
      return closePort(handle, () => void server.close(), PATIENCE_MS).then(assert.ok)
    })
    assert.deepEqual(seen.failed, [], `round ${round}`)
  }
})

test('where Node or the system offers none of this, the port is closed all the same', async () => {
  const closed: string[] = []
  assert.equal(await closePort({}, () => void closed.push('closed')), false)
  assert.deepEqual(closed, ['closed'])
})

const row = (local: string, remote: string, state: string, queue: string, inode: number): string =>
  `   0: 0100007F:${local} 0100007F:${remote} ${state} 00000000:${queue} 00:00000000 00000000     0        0 ${inode} 1 0 100 0 0 10 0`

test('the table of the kernel says who waits at a port', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    row('0BB8', '0000', '0A', '00000002', 7),
    row('0BB8', 'C001', '01', '00000000', 0),
    row('0BB8', 'C002', '08', '00000000', 0),
    row('0BB8', 'C003', '01', '00000000', 9),
    row('0BB8', 'C004', '03', '00000000', 0),
    row('0BB8', 'C005', '06', '00000000', 0),
    row('0BB9', '0000', '0A', '00000005', 8),
  ].join('\n')
  assert.deepEqual(readPortQueue(table, 3000), { waiting: 2, from: new Set([0xc001, 0xc002]), halfOpen: 1 })
  assert.equal(readPortQueue(table, 4000), undefined)
  assert.equal(
    readPortQueue(`${table}\n${row('0BB8', '0000', '0A', '00000000', 10)}`, 3000),
    undefined,
    'two listeners',
  )
})

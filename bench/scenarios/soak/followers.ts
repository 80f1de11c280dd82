// Subscriptions to events that the soak writes. They connect again when they are cut off, as clients do.
import WebSocket from 'ws'

export interface Followers {
  /** How many results have arrived since the last call of `forget`. */
  results(): number
  /** How many sockets got none since then. */
  silent(): number
  forget(): void
  close(): void
}

export interface FollowersOptions {
  readonly port: number
  readonly key: string
  readonly masjid: string
  readonly sockets: number
  readonly perSocket: number
}

const AGAIN_MS = 500

const SUBSCRIPTION = `subscription ($masjid: uuid!) {
  up_events(where: {masjid_id: {_eq: $masjid}}, order_by: {starts_local: asc}, limit: 10) { id title capacity }
}`

export const openFollowers = ({ port, key, masjid, sockets, perSocket }: FollowersOptions): Followers => {
  const results = new Array<number>(sockets).fill(0)
  const open = new Map<number, WebSocket>()
  let isClosed = false

  const subscribe = (socket: WebSocket): void => {
    const payload = { query: SUBSCRIPTION, variables: { masjid } }
    for (let id = 1; id <= perSocket; id += 1)
      socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload }))
  }
  const connect = (number: number): void => {
    if (isClosed) return
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/graphql`, 'graphql-transport-ws')
    open.set(number, socket)
    const authorization = { Authorization: `Bearer ${key}` }
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: authorization })))
    socket.on('message', data => {
      const text = data.toString()
      if (text.includes('"type":"connection_ack"')) subscribe(socket)
      else if (text.includes('"type":"ping"')) socket.send(JSON.stringify({ type: 'pong' }))
      else if (text.includes('"type":"next"')) results[number] = (results[number] ?? 0) + 1
      // An operation that ended was ended by a fault: the client begins again.
      else if (/"type":"(?:error|complete)"/.test(text)) socket.close()
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => setTimeout(connect, AGAIN_MS, number))
  }
  for (let number = 0; number < sockets; number += 1) connect(number)

  return {
    results: () => results.reduce((sum, count) => sum + count, 0),
    silent: () => results.filter(count => count === 0).length,
    forget: () => void results.fill(0),
    close: () => {
      isClosed = true
      for (const socket of open.values()) socket.terminate()
    },
  }
}

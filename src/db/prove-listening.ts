// A listening client → proof that a notification from elsewhere reaches it. Behind a pooler in transaction mode LISTEN succeeds,
// and nothing ever arrives.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Connection } from './connection.ts'
import { withClient } from './with-client.ts'

/** A busy machine must not look like a pooler. */
const PATIENCE_MS = 10_000
const CONNECT_MS = 5000

/** Trying again would not help. */
export class NothingArrives extends Error {
  constructor() {
    super('a notification did not arrive: is there a pooler in transaction mode?')
  }
}

/** Sent over a second connection: a session's own notification would come back with its response. */
const notify = (connection: Connection, channel: string): Promise<unknown> =>
  withClient(
    {
      ...connection,
      application_name: 'minaret check',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: PATIENCE_MS,
    },
    client => client.query('select pg_notify($1, $2)', [channel, '']),
  )

const arrivalOf = (client: pg.Client, channel: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      clearTimeout(timer)
      client.off('notification', look).off('end', lost)
      finish()
    }
    const look = (news: pg.Notification): void => void (news.channel === channel && settle(resolve))
    const lost = (): void => settle(() => reject(new Error('the listening connection was lost')))
    const timer = setTimeout(() => settle(() => reject(new NothingArrives())), PATIENCE_MS)
    client.on('notification', look).on('end', lost)
  })

export const proveListening = async (client: pg.Client, connection: Connection): Promise<void> => {
  const channel = `minaret_proof_${randomUUID()}`
  await client.query(`listen "${channel}"`)
  const arrival = arrivalOf(client, channel)
  await Promise.all([arrival, notify(connection, channel)])
  await client.query(`unlisten "${channel}"`)
}

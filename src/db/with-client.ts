// Opens a dedicated connection for one piece of work, to the primary if there are several hosts, and closes it afterwards.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, toPrimary } from './connection.ts'
import { renewAfter } from './renew.ts'

type Config = pg.ClientConfig & Pick<Connection, 'several' | 'renewal'>

const connectOnce = async (config: Config): Promise<pg.Client> => {
  const client = new pg.Client(toPrimary(config))
  // A server that shuts down also emits an error event, which would otherwise crash the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

/** Once more if the password was replaced since. */
const connect = async (config: Config): Promise<pg.Client> => {
  const used = config.renewal?.current
  try {
    return await connectOnce(config)
  } catch (error) {
    if (renewAfter(error, config, used)) return connectOnce(config)
    throw error
  }
}

/** A server that the network has just cut off does not confirm the end of the connection for a quarter of an hour. */
const FAREWELL_MS = 1000

const leave = async (client: pg.Client): Promise<void> => {
  const isSilent = delay(FAREWELL_MS, true, { ref: false })
  const left = client.end().then(
    () => false,
    () => false,
  )
  if (await Promise.race([left, isSilent])) client.connection.stream.destroy()
}

export const withClient = async <T>(config: Config, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await connect(config)
  try {
    return await work(client)
  } finally {
    await leave(client)
  }
}

// Opens a dedicated connection for one piece of work, to the primary if there are several hosts, and closes it afterwards.
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

export const withClient = async <T>(config: Config, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await connect(config)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

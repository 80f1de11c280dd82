// A database URL → the driver's connection settings.
import type { ClientConfig } from 'pg'
import pg from 'pg'
import { splitHosts } from '../base/split-hosts.ts'

/** Which server, database and role our connections use. */
export type Connection = Readonly<
  Pick<ClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'connectionString'>
> & {
  /** If the URL named several hosts: a connection to each, and which of them is the primary. */
  readonly several?: Several | undefined
}

interface Several {
  readonly list: readonly Connection[]
  /** Shared by all connections that come from one URL; kept up to date by hosts.ts. */
  readonly hosts: { current: number }
}

/** The same settings, for the host that is the primary now. */
export const toPrimary = <Config extends { readonly several?: Several | undefined }>({
  several,
  ...config
}: Config): Omit<Config, 'several'> =>
  several === undefined ? config : { ...config, ...several.list[several.hosts.current] }

/** How long to wait for a connection. If there are other hosts, a silent one must not keep us from the one that took over. */
export const connectMs = ({ several }: Connection): number => (several === undefined ? 5000 : 1500)

const DATE = 1082
const INT8 = 20

/**
 * A date stays text: as a JavaScript `Date` it would shift with the process's time zone. A bigint stays text, as it may
 * not fit into a number.
 */
const parsers: ReadonlyMap<number, (value: string) => unknown> = new Map([
  [DATE, value => value],
  [INT8, value => value],
])

export const types: ClientConfig['types'] = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export const fromUrl = (url: string): Connection => {
  const list = splitHosts(url).map(fromOneHost)
  const [first] = list as [Connection]
  return list.length === 1 ? first : { ...first, several: { list, hosts: { current: 0 } } }
}

const fromOneHost = (url: string): Connection => {
  const { hostname, port, username, password, pathname, search } = new URL(url)
  // A socket folder or TLS settings are in the query string; the driver's own parser reads those.
  if (search !== '') return { connectionString: url }
  return {
    host: decodeURIComponent(hostname) || 'localhost',
    port: port === '' ? 5432 : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  }
}

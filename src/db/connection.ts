// A database URL → the driver's connection settings.
import type { ClientConfig } from 'pg'
import pg from 'pg'
import { splitHosts } from '../base/split-hosts.ts'
import { readInstant } from './read-instant.ts'

/** Which server, database and role our connections use. */
export type Connection = Readonly<
  Pick<ClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'connectionString'>
> & {
  /** If the URL named several hosts: a connection to each, and which of them is the primary. */
  readonly several?: Several | undefined
  /** If user and password come from a file that may be replaced. */
  readonly renewal?: Renewal | undefined
}

interface Credentials {
  readonly user: string
  readonly password: string
}

/** A file that has the URL. */
export interface UrlFile {
  /** The setting that names it. */
  readonly variable: string
  readonly path: string
}

interface Renewal extends UrlFile {
  /** What it said last: shared by all connections that come from it, and kept up to date by renew.ts. */
  current: Credentials
}

interface Hosts {
  current: number
  /** Called when another host is the primary. A copy in another thread, which has only what can be copied, is without. */
  readonly moving?: Set<() => void>
}

interface Several {
  readonly list: readonly Connection[]
  /** Shared by all connections that come from one URL; kept up to date by hosts.ts. */
  readonly hosts: Hosts
}

/** What changes while the service runs. */
type Changing = Pick<Connection, 'several' | 'renewal'>

/** The same settings, for the host that is the primary now, with the user and password that count now. */
export const toPrimary = <Config extends Changing>({
  several,
  renewal,
  ...config
}: Config): Omit<Config, 'several' | 'renewal'> => {
  const host = several === undefined ? config : { ...config, ...several.list[several.hosts.current] }
  return renewal === undefined ? host : asUser(host, renewal.current)
}

export const credentialsOf = ({ connectionString, user, password }: Connection): Credentials => {
  if (connectionString === undefined) return { user: String(user), password: String(password) }
  const url = new URL(connectionString)
  return { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
}

const asUser = <Config extends Connection>(config: Config, { user, password }: Credentials): Config => {
  if (config.connectionString === undefined) return { ...config, user, password }
  const url = new URL(config.connectionString)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return { ...config, connectionString: url.href }
}

/** The same servers, as somebody else, whom the file says nothing about. */
export const withCredentials = (owner: Connection, credentials: Credentials): Connection => {
  const { several, renewal: _, ...first } = owner
  if (several === undefined) return asUser(first, credentials)
  const list = several.list.map(one => asUser(one, credentials))
  return { ...asUser(first, credentials), several: { ...several, list } }
}

const LONGEST_MS = 5000

/**
 * How long to wait for a connection. If there are other hosts, a silent one must not keep us from the one that took over; but after
 * failed attempts we wait longer, as a server on which many connect at once may be slow rather than silent.
 */
export const connectMs = ({ several }: Connection, failed = 0): number =>
  several === undefined ? LONGEST_MS : Math.min(1500 * (failed + 1), LONGEST_MS)

const DATE = 1082
const INT8 = 20
const TIMESTAMPTZ = 1184

const readByDriver = pg.types.getTypeParser(TIMESTAMPTZ, 'text')

/**
 * A date stays text: as a JavaScript `Date` it would shift with the process's time zone. A bigint stays text, as it may
 * not fit into a number.
 */
const parsers: ReadonlyMap<number, (value: string) => unknown> = new Map<number, (value: string) => unknown>([
  [DATE, value => value],
  [INT8, value => value],
  [TIMESTAMPTZ, value => readInstant(value) ?? readByDriver(value)],
])

export const types: ClientConfig['types'] = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** @param file where the URL is from */
export const fromUrl = (url: string, file?: UrlFile): Connection => {
  const connection = fromHosts(url)
  return file === undefined ? connection : { ...connection, renewal: { ...file, current: credentialsOf(connection) } }
}

/** Connections are sent to threads as plain data, without what is not enumerable. */
const newHosts = (): Hosts => Object.defineProperty({ current: 0 }, 'moving', { value: new Set<() => void>() })

const fromHosts = (url: string): Connection => {
  const list = splitHosts(url).map(fromOneHost)
  const [first] = list as [Connection]
  return list.length === 1 ? first : { ...first, several: { list, hosts: newHosts() } }
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

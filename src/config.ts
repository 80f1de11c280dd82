// Environment → frozen Config; all errors are reported at once, each with its fix.
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { ProviderSettings } from './accounts/providers/provider-settings.ts'
import type { LogLevel } from './base/log.ts'
import type { Scope } from './base/scope-table.ts'
import type { TrustedProxies } from './base/trusted-proxies.ts'
import type { Capability } from './capabilities/staffed-masjids.ts'
import { declarations } from './config-declarations.ts'
import { type FileText, readSettingFile } from './config-file.ts'
import { type Observability, observabilityOf } from './config-observability.ts'
import type { Declaration } from './config-readers.ts'

export interface Config {
  readonly mode: 'production' | 'development'
  readonly host: string
  readonly port: number
  readonly sandboxPort: number
  /** Defaults to localhost with the bound port. */
  readonly baseUrl: string | undefined
  readonly sandboxUrl: string | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseListenUrl: string | undefined
  readonly databaseReadUrls: readonly string[]
  readonly replicaLagMs: number
  readonly demoData: boolean
  /** Unset only in development, where one is generated and kept in the data folder. */
  readonly secret: string | undefined
  /** Accepted too, while the secret is being replaced. */
  readonly previousSecret: string | undefined
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly logLevel: LogLevel
  readonly workers: number
  readonly drainSeconds: number
  readonly keepAliveSeconds: number
  readonly trustedProxies: TrustedProxies
  readonly statementTimeoutMs: number
  readonly requestDeadlineMs: number
  readonly changeLogDays: number
  readonly erasureDays: number
  /** In days; written rows with 0 for good. */
  readonly retention: { readonly auditLog: number; readonly readLog: number; readonly writtenRows: number }
  readonly poolSize: number
  readonly readConnections: number
  /** 0: no answers are kept. */
  readonly answerCacheMb: number
  /** 0: shared caches keep nothing. */
  readonly cdnSeconds: number
  /** Whose data are open to everyone. */
  readonly cdnScopes: readonly string[]
  /** Other OpenID providers that people can sign in with. */
  readonly providers: readonly ProviderSettings[]
  /** What people may do only with a second factor. */
  readonly guardedCapabilities: readonly Capability[]
  /** For which people must have signed in with a second factor. */
  readonly strongScopes: readonly Scope[]
  readonly writeConnections: number
  readonly requestsPerApp: number
  readonly rateLimits: boolean
  /** Whether apps may describe themselves. */
  readonly selfDescribedApps: boolean
  /** Open at a time: in this process, for an app and person, from an address. */
  readonly subscriptions: number
  readonly subscriptionsPerApp: number
  readonly subscriptionsPerAddress: number
  readonly plainConnections: boolean
  /** Unset: rows are not counted. */
  readonly rowsPerMinute: number | undefined
  readonly observability: Observability
}

export class ConfigFault extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map(fault => `  - ${fault}`).join('\n')}`,
    )
    this.name = 'ConfigFault'
    this.faults = faults
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** By setting, one fault each, so that an invalid value is not also reported as missing. */
type Faults = Map<string, string>

/** The variable itself or, for a secret, the file that `NAME_FILE` names; undefined if neither is set. */
const textOf = ({ name, secret }: Declaration, environment: Environment): FileText | undefined => {
  const text = environment[name]?.trim() || undefined
  const variable = `${name}_FILE`
  const path = secret === true ? environment[variable]?.trim() || undefined : undefined
  if (path === undefined) return text === undefined ? undefined : { text }
  return text === undefined
    ? readSettingFile(variable, path)
    : { fault: `is set, and so is ${variable}. Use only one of them.` }
}

const readValue = (declaration: Declaration, environment: Environment, faults: Faults): unknown => {
  const given = textOf(declaration, environment)
  if (given === undefined) return declaration.fallback
  const read = 'fault' in given ? given : declaration.read(given.text.trim())
  if ('fault' in read) faults.set(declaration.name, read.fault)
  return 'fault' in read ? declaration.fallback : read.value
}

const productionFaults = (values: Record<string, unknown>): Faults => {
  const faults: Faults = new Map()
  if (values.BASE_URL === undefined)
    faults.set(
      'BASE_URL',
      'is not set. In production set it to the public https address, for example https://id.example.org.',
    )
  else if (!String(values.BASE_URL).startsWith('https://'))
    faults.set('BASE_URL', `is ${values.BASE_URL}, which is not https. In production use an https address.`)
  if (values.DATABASE_URL === undefined)
    faults.set(
      'DATABASE_URL',
      'is not set. In production set it, for example postgres://minaret:password@db.example.org/minaret.',
    )
  if (values.MINARET_SECRET === undefined)
    faults.set(
      'MINARET_SECRET',
      `is not set. Set it to a random value and keep it, for example ${randomBytes(32).toString('base64url')}.`,
    )
  return faults
}

/** By default a quarter longer than a statement may take: 5 seconds. */
const deadlineOf = (values: Record<string, unknown>): number =>
  (values.REQUEST_DEADLINE_MS as number | undefined) ?? Math.ceil((values.STATEMENT_TIMEOUT_MS as number) * 1.25)

const deadlineFaults = (values: Record<string, unknown>): Faults =>
  deadlineOf(values) > (values.STATEMENT_TIMEOUT_MS as number)
    ? new Map()
    : new Map([
        [
          'REQUEST_DEADLINE_MS',
          `is ${values.REQUEST_DEADLINE_MS}, and a statement may take ${values.STATEMENT_TIMEOUT_MS} ms. Raise it, or lower STATEMENT_TIMEOUT_MS.`,
        ],
      ])

/** @throws {ConfigFault} with every error found. */
export const readConfig = (environment: Environment): Config => {
  const unreadable: Faults = new Map()
  const values: Record<string, unknown> = {}
  for (const declaration of declarations) values[declaration.name] = readValue(declaration, environment, unreadable)
  const production = values.NODE_ENV === 'production'
  const faults = new Map([...(production ? productionFaults(values) : []), ...deadlineFaults(values), ...unreadable])
  if (faults.size > 0) throw new ConfigFault([...faults].map(([name, fault]) => `${name} ${fault}`))
  return Object.freeze({
    mode: production ? 'production' : 'development',
    host: (values.HOST as string | undefined) ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: values.PORT as number,
    sandboxPort: values.SANDBOX_PORT as number,
    baseUrl: values.BASE_URL as string | undefined,
    sandboxUrl: values.SANDBOX_URL as string | undefined,
    dataDir: resolve(values.DATA_DIR as string),
    databaseUrl: values.DATABASE_URL as string | undefined,
    databaseListenUrl: values.DATABASE_LISTEN_URL as string | undefined,
    databaseReadUrls: values.DATABASE_READ_URL as readonly string[],
    replicaLagMs: values.REPLICA_LAG_MS as number,
    demoData: !production && (values.DEMO_DATA as boolean),
    secret: values.MINARET_SECRET as string | undefined,
    previousSecret: values.MINARET_SECRET_PREVIOUS as string | undefined,
    smtpUrl: values.SMTP_URL as string | undefined,
    mailFrom: values.MAIL_FROM as string,
    logLevel: values.LOG_LEVEL as LogLevel,
    workers: values.WORKERS as number,
    drainSeconds: (values.DRAIN_SECONDS as number | undefined) ?? (production ? 10 : 0),
    keepAliveSeconds: values.KEEP_ALIVE_SECONDS as number,
    trustedProxies: values.TRUST_PROXY as TrustedProxies,
    statementTimeoutMs: values.STATEMENT_TIMEOUT_MS as number,
    requestDeadlineMs: deadlineOf(values),
    changeLogDays: values.CHANGE_LOG_DAYS as number,
    erasureDays: values.ERASURE_DAYS as number,
    retention: {
      auditLog: values.AUDIT_LOG_DAYS as number,
      readLog: values.READ_LOG_DAYS as number,
      writtenRows: values.WRITTEN_ROWS_DAYS as number,
    },
    poolSize: values.POOL_SIZE as number,
    readConnections: values.READ_CONNECTIONS as number,
    answerCacheMb: values.ANSWER_CACHE_MB as number,
    cdnSeconds: values.CDN_SECONDS as number,
    cdnScopes: values.CDN_SCOPES as readonly string[],
    providers: values.PROVIDERS as readonly ProviderSettings[],
    guardedCapabilities: values.SECOND_FACTOR_CAPABILITIES as readonly Capability[],
    strongScopes: values.SECOND_FACTOR_SCOPES as readonly Scope[],
    writeConnections: values.WRITE_CONNECTIONS as number,
    requestsPerApp: values.REQUESTS_PER_APP as number,
    rateLimits: values.RATE_LIMITS as boolean,
    selfDescribedApps: values.SELF_DESCRIBED_APPS as boolean,
    subscriptions: values.SUBSCRIPTIONS as number,
    subscriptionsPerApp: values.SUBSCRIPTIONS_PER_APP as number,
    subscriptionsPerAddress: values.SUBSCRIPTIONS_PER_ADDRESS as number,
    plainConnections: values.PLAIN_CONNECTIONS as boolean,
    rowsPerMinute: values.ROWS_PER_MINUTE as number | undefined,
    observability: observabilityOf(values),
  })
}

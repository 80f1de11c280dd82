// Environment → frozen Config; all errors are reported at once, each with its fix.
import { randomBytes } from 'node:crypto'
import { isSetting, type Setting, type SettingGroup, type ValuesOf } from './setting.ts'
import { type FileText, readSettingFile } from './setting-file.ts'
import { settings, type Values } from './settings.ts'

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
const textOf = ({ name, secret }: Setting<unknown>, environment: Environment): FileText | undefined => {
  const text = environment[name]?.trim() || undefined
  const variable = `${name}_FILE`
  const path = secret === true ? environment[variable]?.trim() || undefined : undefined
  if (path === undefined) return text === undefined ? undefined : { text }
  return text === undefined
    ? readSettingFile(variable, path)
    : { fault: `is set, and so is ${variable}. Use only one of them.` }
}

const readValue = (setting: Setting<unknown>, environment: Environment, faults: Faults): unknown => {
  const given = textOf(setting, environment)
  if (given === undefined) return setting.fallback
  const read = 'fault' in given ? given : setting.read(given.text.trim())
  if ('fault' in read) faults.set(setting.name, read.fault)
  return 'fault' in read ? setting.fallback : read.value
}

const readValues = <Group extends SettingGroup>(group: Group, environment: Environment, faults: Faults) =>
  Object.fromEntries(
    Object.entries(group).map(([name, entry]): [string, unknown] => [
      name,
      isSetting(entry) ? readValue(entry, environment, faults) : readValues(entry, environment, faults),
    ]),
  ) as ValuesOf<Group>

const productionFaults = ({ baseUrl, databaseUrl, secret }: Values): Faults => {
  const faults: Faults = new Map()
  if (baseUrl === undefined)
    faults.set(
      'BASE_URL',
      'is not set. In production set it to the public https address, for example https://id.example.org.',
    )
  else if (!baseUrl.startsWith('https://'))
    faults.set('BASE_URL', `is ${baseUrl}, which is not https. In production use an https address.`)
  if (databaseUrl === undefined)
    faults.set(
      'DATABASE_URL',
      'is not set. In production set it, for example postgres://minaret:password@db.example.org/minaret.',
    )
  if (secret === undefined)
    faults.set(
      'MINARET_SECRET',
      `is not set. Set it to a random value and keep it, for example ${randomBytes(32).toString('base64url')}.`,
    )
  return faults
}

/** By default a quarter longer than a statement may take: 5 seconds. */
const deadlineOf = ({ requestDeadlineMs, statementTimeoutMs }: Values): number =>
  requestDeadlineMs ?? Math.ceil(statementTimeoutMs * 1.25)

const deadlineFaults = (values: Values): Faults =>
  deadlineOf(values) > values.statementTimeoutMs
    ? new Map()
    : new Map([
        [
          'REQUEST_DEADLINE_MS',
          `is ${values.requestDeadlineMs}, and a statement may take ${values.statementTimeoutMs} ms. Raise it, or lower STATEMENT_TIMEOUT_MS.`,
        ],
      ])

/** Without a collector there are no traces. */
const tracingOf = ({ endpoint, ...others }: Values['observability']['tracing']) =>
  endpoint === undefined ? undefined : { endpoint, ...others }

/** What hangs on other settings. */
const complete = (values: Values) => {
  const production = values.mode === 'production'
  return {
    ...values,
    host: values.host ?? (production ? '0.0.0.0' : '127.0.0.1'),
    demoData: !production && values.demoData,
    drainSeconds: values.drainSeconds ?? (production ? 10 : 0),
    requestDeadlineMs: deadlineOf(values),
    observability: { ...values.observability, tracing: tracingOf(values.observability.tracing) },
  }
}

/** A setting's file that may be read again while the service runs. */
interface SettingFile {
  readonly variable: string
  readonly path: string
}

const fileOf = (name: string, environment: Environment): SettingFile | undefined => {
  const variable = `${name}_FILE`
  const path = environment[variable]?.trim() || undefined
  return path === undefined ? undefined : { variable, path }
}

export interface Config extends Readonly<ReturnType<typeof complete>> {
  readonly databaseUrlFile: SettingFile | undefined
  readonly databaseListenUrlFile: SettingFile | undefined
}

/** @throws {ConfigFault} with every error found. */
export const readConfig = (environment: Environment): Config => {
  const unreadable: Faults = new Map()
  const values = readValues(settings, environment, unreadable)
  const missing = values.mode === 'production' ? productionFaults(values) : []
  const faults = new Map([...missing, ...deadlineFaults(values), ...unreadable])
  if (faults.size > 0) throw new ConfigFault([...faults].map(([name, fault]) => `${name} ${fault}`))
  return Object.freeze({
    ...complete(values),
    databaseUrlFile: fileOf('DATABASE_URL', environment),
    databaseListenUrlFile: fileOf('DATABASE_LISTEN_URL', environment),
  })
}

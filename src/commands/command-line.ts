// Arguments → one command, its result printed, exit status 0, 1 (refused) or 2 (usage error).
import { parseArgs } from 'node:util'
import { readOwnBuild } from '../base/build/own-build.ts'
import { Fault } from '../base/fault.ts'
import { ConfigFault, readConfig } from '../config/config.ts'
import { toDatabaseFault } from '../db/database-fault.ts'
import { StartFault } from '../db/embedded/start-fault.ts'
import { appBoundTokensCommand } from './app-bound-tokens.ts'
import { appCreateCommand } from './app-create.ts'
import {
  appApproveCommand,
  appClaimsCommand,
  appDeleteCommand,
  appMasjidsCommand,
  appReinstateCommand,
  appRejectCommand,
  appSuspendCommand,
  appTransferCommand,
} from './app-decisions.ts'
import { appKeysCommand } from './app-keys.ts'
import { appLifetimesCommand } from './app-lifetimes.ts'
import { appListCommand } from './app-list.ts'
import { appSecretCommand } from './app-secret.ts'
import { appTeamCommand } from './app-team.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { capabilityGrantCommand, capabilityListCommand, capabilityWithdrawCommand } from './capability-commands.ts'
import { type Command, type Options, UsageFault } from './command.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { keyCreateCommand, keyLimitCommand, keyListCommand, keyRevokeCommand } from './key-commands.ts'
import { masjidsImportCommand } from './masjids-import.ts'
import { migrateCommand } from './migrate.ts'
import { schemaCheckCommand } from './schema-check.ts'
import { secretRotateCommand } from './secret/rotate.ts'
import { serveCommand } from './serve.ts'
import { signingKeysListCommand, signingKeysRevokeCommand, signingKeysRotateCommand } from './signing-keys.ts'
import { userCreateCommand } from './user-create.ts'
import { userEraseCommand } from './user-erase.ts'
import { userExportCommand } from './user-export.ts'
import { userResetFactorsCommand } from './user-reset-factors.ts'

const commands: readonly Command[] = [
  serveCommand,
  doctorCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  demoCommand,
  userCreateCommand,
  userExportCommand,
  userEraseCommand,
  userResetFactorsCommand,
  appCreateCommand,
  appApproveCommand,
  appMasjidsCommand,
  appClaimsCommand,
  appRejectCommand,
  appSuspendCommand,
  appReinstateCommand,
  appTransferCommand,
  appDeleteCommand,
  appSecretCommand,
  appKeysCommand,
  appLifetimesCommand,
  appBoundTokensCommand,
  appTeamCommand,
  appListCommand,
  keyCreateCommand,
  keyListCommand,
  keyLimitCommand,
  keyRevokeCommand,
  capabilityGrantCommand,
  capabilityWithdrawCommand,
  capabilityListCommand,
  masjidsImportCommand,
  signingKeysListCommand,
  signingKeysRotateCommand,
  signingKeysRevokeCommand,
  secretRotateCommand,
  schemaCheckCommand,
]

/** Where a command runs. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A result, to standard output. */
  print(text: string): void
  /** Anything else that people should know, to standard error. */
  say(text: string): void
}

const overview = (): string =>
  [
    'Minaret: identity and data access for masjids.',
    '',
    'Usage: minaret COMMAND [OPTIONS]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(22)}${summary}`),
    '',
    'minaret --version prints version and commit. Every command accepts --help, and --json for machine-readable output.',
    'Settings are environment variables, listed in docs/configuration.md.',
  ].join('\n')

const versionLine = (): string => {
  const { version, commit } = readOwnBuild()
  return `minaret ${version} (commit ${commit}, Node ${process.versions.node})`
}

const helpFor = ({ usage, summary }: Command): string => `${summary}\n\nUsage: minaret ${usage}\n`

const findCommand = (words: readonly string[]): { command: Command; rest: string[] } | undefined => {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '))
    if (command !== undefined) return { command, rest: words.slice(length) }
  }
  return undefined
}

const parse = (command: Command, rest: string[]): Options => {
  try {
    const options = { ...command.options, help: { type: 'boolean' as const }, json: { type: 'boolean' as const } }
    const { positional } = command
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: positional !== undefined })
    if (positional === undefined) return values as Options
    if (positionals.length > 1) throw new Error(`Unexpected argument '${positionals[1]}'.`)
    return { ...values, [positional]: positionals[0] } as Options
  } catch (error) {
    throw new UsageFault((error as Error).message)
  }
}

const nameOf =
  ({ positional }: Command) =>
  (option: string): string =>
    option === positional ? option.toUpperCase() : `--${option}`

/** Returns the exit status. */
const runCommand = async (command: Command, rest: string[], terminal: Terminal): Promise<number> => {
  const { environment, print, say } = terminal
  const values = parse(command, rest)
  if (values.help === true) {
    print(helpFor(command))
    return 0
  }
  const missing = command.required.filter(name => values[name] === undefined)
  if (missing.length > 0)
    throw new UsageFault(`Missing: ${missing.map(nameOf(command)).join(', ')}.\nUsage: minaret ${command.usage}`)
  const outcome = await command.run(values, { ...readConfig(environment), say })
  if (outcome !== undefined) print(values.json === true ? JSON.stringify(outcome.json) : outcome.text)
  return outcome?.status ?? 0
}

/** An error that people can fix is printed as its message; anything else with its stack. */
const report = (thrown: unknown, asJson: boolean, { print, say }: Terminal): void => {
  const error = toDatabaseFault(thrown)
  const expected =
    error instanceof Fault || error instanceof ConfigFault || error instanceof StartFault || error instanceof UsageFault
  const message = expected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (asJson)
    print(
      JSON.stringify({
        error: error instanceof Fault ? error.code : 'refused',
        error_description: expected ? message : 'unexpected fault',
      }),
    )
  say(message)
}

/** Returns the exit status. */
export const runCommandLine = async (words: string[], terminal: Terminal): Promise<number> => {
  const { print, say } = terminal
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    print(overview())
    return words.length === 0 ? 2 : 0
  }
  if (words[0] === '--version') {
    print(versionLine())
    return 0
  }
  const found = findCommand(words)
  if (found === undefined) {
    const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
    if (group.length > 0) say(group.map(({ usage }) => `minaret ${usage}`).join('\n'))
    else say(`There is no command "${words[0]}".\n\n${overview()}`)
    return group.length > 0 && words[1] === '--help' ? 0 : 2
  }
  try {
    return await runCommand(found.command, found.rest, terminal)
  } catch (error) {
    report(error, words.includes('--json'), terminal)
    return error instanceof UsageFault ? 2 : 1
  }
}

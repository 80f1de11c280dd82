// `minaret user create`: an account whose email address counts as confirmed.
import { readFileSync } from 'node:fs'
import { issueMailToken } from '../accounts/mail-tokens.ts'
import {
  checkPassword,
  LONGEST_PASSWORD,
  type Owner,
  type PasswordFault,
  SHORTEST_PASSWORD,
} from '../accounts/password-rules.ts'
import { createUser } from '../accounts/users.ts'
import { registrationRefused } from '../apps/faults.ts'
import { commandActor, recordAudit } from '../audit/record-audit.ts'
import { Fault } from '../base/fault.ts'
import type { Database } from '../db/database.ts'
import { baseUrlOf } from './base-url.ts'
import {
  type Command,
  type CommandConfig,
  type Options,
  type Outcome,
  optionalText,
  textOption,
  UsageFault,
} from './command.ts'
import { withDatabase } from './with-database.ts'

const acceptEmail = (email: string): string => {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    throw registrationRefused(`"${email}" is not an email address.`)
  return email
}

/** An operator may choose a simple password, but not one of the most common. */
const refusals: Readonly<Partial<Record<PasswordFault, string>>> = {
  password_short: `The password is too short: use at least ${SHORTEST_PASSWORD} characters.`,
  password_long: `The password is too long: use at most ${LONGEST_PASSWORD} characters.`,
  password_common: 'The password is among the most common ones. Choose another.',
}

const acceptPassword = (password: string, owner: Owner): string => {
  const fault = checkPassword(password, owner)
  const refusal = fault === undefined ? undefined : refusals[fault]
  if (refusal !== undefined) throw registrationRefused(refusal)
  return password
}

/** `-` is standard input. */
const readPassword = (file: string, owner: Owner): string => {
  try {
    return acceptPassword(readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, ''), owner)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw registrationRefused(`The password cannot be read from ${file}: ${(error as NodeJS.ErrnoException).code}.`)
  }
}

/** As after a forgotten password; whoever sees it first can use it. */
const linkFor = async (database: Database, config: CommandConfig, userId: string): Promise<string> => {
  const token = await issueMailToken(database, { userId, purpose: 'reset' })
  return `${baseUrlOf(config)}/reset-password?${new URLSearchParams({ token })}`
}

const create = async (options: Options, config: CommandConfig, database: Database): Promise<Outcome> => {
  const owner = { email: acceptEmail(textOption(options, 'email')), name: textOption(options, 'name') }
  const file = optionalText(options, 'password-file')
  const user = await createUser(database, {
    ...owner,
    password: file === undefined ? undefined : readPassword(file, owner),
    emailVerified: true,
    isReviewer: options.reviewer === true,
    isAdmin: options.admin === true,
  })
  await recordAudit(database, { action: 'user.created', actor: commandActor, userId: user.id })
  const link = file === undefined ? await linkFor(database, config, user.id) : undefined
  const { id, email, name, isReviewer, isAdmin } = user
  const roles = [isReviewer && 'reviewer', isAdmin && 'administrator'].filter(Boolean).join(' and ')
  const toChoose = link === undefined ? '' : `\n  To choose a password, within an hour, once: ${link}`
  return {
    text: `Created ${name} <${email}>${roles === '' ? '' : `, ${roles}`}.\n  id  ${id}${toChoose}`,
    json: { id, email, name, reviewer: isReviewer, admin: isAdmin, ...(link && { link }) },
  }
}

/** Arguments are seen by everybody on the machine, and kept by the shell. */
const REFUSED =
  'No password in arguments: leave it out for a link with which one is chosen, or use --password-file FILE (- reads standard input).'

export const userCreateCommand: Command = {
  name: 'user create',
  summary: 'Create an account whose email address counts as confirmed.',
  usage: 'user create --email EMAIL --name NAME [--password-file FILE] [--reviewer] [--admin] [--json]',
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    password: { type: 'string' },
    'password-file': { type: 'string' },
    reviewer: { type: 'boolean' },
    admin: { type: 'boolean' },
  },
  required: ['email', 'name'],
  run: (options, config) => {
    if (options.password !== undefined) throw new UsageFault(REFUSED)
    return withDatabase(config, database => create(options, config, database))
  },
}

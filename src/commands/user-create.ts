// `minaret user create`: an account whose email address counts as confirmed.

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
import { type Command, textOption } from './command.ts'
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

export const userCreateCommand: Command = {
  name: 'user create',
  summary: 'Create an account whose email address counts as confirmed.',
  usage: 'user create --email EMAIL --name NAME --password PASSWORD [--reviewer] [--admin] [--json]',
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    password: { type: 'string' },
    reviewer: { type: 'boolean' },
    admin: { type: 'boolean' },
  },
  required: ['email', 'name', 'password'],
  run: (options, config) =>
    withDatabase(config, async database => {
      const owner = { email: acceptEmail(textOption(options, 'email')), name: textOption(options, 'name') }
      const user = await createUser(database, {
        ...owner,
        password: acceptPassword(textOption(options, 'password'), owner),
        emailVerified: true,
        isReviewer: options.reviewer === true,
        isAdmin: options.admin === true,
      })
      await recordAudit(database, { action: 'user.created', actor: commandActor, userId: user.id })
      const { id, email, name, isReviewer, isAdmin } = user
      const roles = [isReviewer && 'reviewer', isAdmin && 'administrator'].filter(Boolean).join(' and ')
      return {
        text: `Created ${name} <${email}>${roles === '' ? '' : `, ${roles}`}.\n  id  ${id}`,
        json: { id, email, name, reviewer: isReviewer, admin: isAdmin },
      }
    }),
}

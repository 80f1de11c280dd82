// `minaret user create`: an account whose e-mail address counts as confirmed.
import { commandActor, recordAudit } from '../access/audit.ts'
import { createUser } from '../accounts/users.ts'
import { registrationRefused } from '../apps/faults.ts'
import { type Command, textOption } from './command.ts'
import { withDatabase } from './with-database.ts'

const SHORTEST_PASSWORD = 10

const checkEmail = (email: string): string => {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw registrationRefused(`"${email}" is not an e-mail address.`)
  return email
}

const checkPassword = (password: string): string => {
  if (password.length < SHORTEST_PASSWORD)
    throw registrationRefused(`The password is too short: use at least ${SHORTEST_PASSWORD} characters.`)
  return password
}

export const userCreateCommand: Command = {
  name: 'user create',
  summary: 'Create an account whose e-mail address counts as confirmed.',
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
      const user = await createUser(database, {
        email: checkEmail(textOption(options, 'email')),
        name: textOption(options, 'name'),
        password: checkPassword(textOption(options, 'password')),
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

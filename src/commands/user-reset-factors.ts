// `minaret user reset-factors`: for somebody who has lost the second factor, when no other administrator can help.
import { resetFactors } from '../accounts/factors/reset-factors.ts'
import { findUserByEmail } from '../accounts/users.ts'
import { commandActor } from '../audit/record-audit.ts'
import { Fault } from '../base/fault.ts'
import { baseUrlOf } from './base-url.ts'
import { type Command, textOption } from './command.ts'
import { withDatabase } from './with-database.ts'

export const userResetFactorsCommand: Command = {
  name: 'user reset-factors',
  summary: 'Remove the second factors of an account whose owner has lost them.',
  usage: 'user reset-factors --email EMAIL [--json]',
  options: { email: { type: 'string' } },
  required: ['email'],
  run: (options, config) =>
    withDatabase(config, async database => {
      const email = textOption(options, 'email')
      const user = await findUserByEmail(database, email)
      if (user === undefined)
        throw new Fault({ code: 'not_found', status: 404, message: `There is no account with the address "${email}".` })
      const reset = await resetFactors(
        { database, baseUrl: baseUrlOf(config) },
        { userId: user.id, actor: commandActor },
      )
      return {
        text: reset
          ? `Removed the second factors of ${user.email} and ended all sessions. They have been told by mail.`
          : `${user.email} has no second factor.`,
        json: { id: user.id, email: user.email, reset },
      }
    }),
}

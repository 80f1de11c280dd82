// `minaret capability grant|withdraw|list`: what people may write at a masjid, so that its first person can be set up.

import type { User } from '../accounts/users.ts'
import { commandActor } from '../audit/record-audit.ts'
import {
  findAccount,
  findMasjid,
  grantCapabilities,
  type HeldCapability,
  listCapabilities,
  type Masjid,
  readCapabilities,
  withdrawCapabilities,
} from '../capabilities/capabilities.ts'
import type { Queryable } from '../db/database.ts'
import { type Command, type Options, type Outcome, optionalText, textList, textOption } from './command.ts'
import { withDatabase } from './with-database.ts'

const WHO = '--masjid ID|SLUG --email EMAIL --capability NAME … | all'

const options = {
  masjid: { type: 'string' },
  email: { type: 'string' },
  capability: { type: 'string', multiple: true },
} as const

interface Named {
  readonly masjid: Masjid
  readonly user: User
  readonly capabilities: readonly string[]
}

const findNamed = async (database: Queryable, given: Options): Promise<Named> => ({
  masjid: await findMasjid(database, textOption(given, 'masjid')),
  user: await findAccount(database, textOption(given, 'email')),
  capabilities: await readCapabilities(database, textList(given, 'capability')),
})

const outcomeOf = async (database: Queryable, { masjid, user }: Named, done: string): Promise<Outcome> => {
  const held = await listCapabilities(database, { masjidId: masjid.id, userId: user.id })
  const names = [...new Set(held.map(({ capability }) => capability))]
  return {
    text: `${done}\n  masjid        ${masjid.name} (${masjid.id})\n  person        ${user.name} <${user.email}>\n  capabilities  ${names.join(' ') || 'none'}`,
    json: { masjid_id: masjid.id, user_id: user.id, capabilities: names },
  }
}

export const capabilityGrantCommand: Command = {
  name: 'capability grant',
  summary: 'Give a member of a masjid capabilities there: times, events, people and others.',
  usage: `capability grant ${WHO} [--member] [--json]\n    --member makes the person a member of the masjid first, if they are none.`,
  options: { ...options, member: { type: 'boolean' } },
  required: ['masjid', 'email', 'capability'],
  run: (given, config) =>
    withDatabase(config, async database => {
      const named = await findNamed(database, given)
      await grantCapabilities(database, { ...named, actor: commandActor, asMember: given.member === true })
      return outcomeOf(database, named, `Granted: ${named.capabilities.join(' ')}.`)
    }),
}

export const capabilityWithdrawCommand: Command = {
  name: 'capability withdraw',
  summary: 'Withdraw capabilities that were granted; they end at once.',
  usage: `capability withdraw ${WHO} [--json]`,
  options,
  required: ['masjid', 'email', 'capability'],
  run: (given, config) =>
    withDatabase(config, async database => {
      const named = await findNamed(database, given)
      const withdrawn = await withdrawCapabilities(database, { ...named, actor: commandActor })
      const done = withdrawn.length === 0 ? 'The person held none of these.' : `Withdrawn: ${withdrawn.join(' ')}.`
      return outcomeOf(database, named, done)
    }),
}

const lineOf = ({ masjid, email, capability, through }: HeldCapability): string =>
  `  ${masjid}  ${email}  ${capability}${through === 'role' ? ' (by role)' : ''}`

export const capabilityListCommand: Command = {
  name: 'capability list',
  summary: 'List who may write what at which masjid, by grant or by role.',
  usage: 'capability list [--masjid ID|SLUG] [--email EMAIL] [--json]',
  options: { masjid: options.masjid, email: options.email },
  required: [],
  run: (given, config) =>
    withDatabase(config, async database => {
      const [named, email] = [optionalText(given, 'masjid'), optionalText(given, 'email')]
      const masjidId = named === undefined ? undefined : (await findMasjid(database, named)).id
      const userId = email === undefined ? undefined : (await findAccount(database, email)).id
      const held = await listCapabilities(database, { masjidId, userId })
      const capabilities = held.map(one => ({
        masjid_id: one.masjidId,
        user_id: one.userId,
        email: one.email,
        capability: one.capability,
        through: one.through,
        granted_at: one.grantedAt?.toISOString() ?? null,
      }))
      const text = held.length === 0 ? 'Nobody has capabilities here.' : held.map(lineOf).join('\n')
      return { text, json: { capabilities } }
    }),
}

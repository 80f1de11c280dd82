// `minaret app team`: who is on the team of an app; invites, removes, and gives other roles.
import { checkEmail, emailKey } from '../accounts/email-rules.ts'
import type { App } from '../apps/app.ts'
import { registrationRefused, stateRefused } from '../apps/faults.ts'
import { inviteToTeam, listTeamInvitations } from '../apps/team/invitations.ts'
import { changeRole, listMembers, type Member, removeMember, type TeamActor } from '../apps/team/members.ts'
import { isTeamRole, type TeamRole, teamRoles } from '../apps/team/roles.ts'
import { commandActor } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { baseUrlOf } from './base-url.ts'
import { type Command, type Options, type Outcome, optionalText, UsageFault } from './command.ts'
import { appOptions, findNamedApp } from './find-app.ts'
import { withDatabase } from './with-database.ts'

const actor: TeamActor = { ...commandActor, kind: 'command' }

interface ForRole {
  readonly kind: 'invite' | 'change'
  readonly email: string
  readonly role: TeamRole
}

type Wish = { readonly kind: 'list' } | { readonly kind: 'remove'; readonly email: string } | ForRole

const readWish = (options: Options): Wish => {
  const given = (['invite', 'remove', 'change'] as const).filter(name => options[name] !== undefined)
  const [kind] = given
  const role = optionalText(options, 'role')
  if (given.length > 1) throw new UsageFault('Give one of --invite, --change and --remove.')
  if (role !== undefined && !isTeamRole(role)) throw new UsageFault(`--role is one of ${teamRoles.join(', ')}.`)
  if ((role !== undefined) !== (kind === 'invite' || kind === 'change'))
    throw new UsageFault('--role belongs to --invite and --change.')
  if (kind === undefined) return { kind: 'list' }
  const email = emailKey(optionalText(options, kind) ?? '')
  return role === undefined || kind === 'remove' ? { kind: 'remove', email } : { kind, email, role }
}

interface Place {
  readonly database: Database
  readonly baseUrl: string
  readonly app: App
}

const memberWith = async (database: Database, app: App, email: string): Promise<Member> => {
  const member = (await listMembers(database, app.id)).find(one => emailKey(one.email) === email)
  if (member === undefined) throw stateRefused(`${email} is not on the team of ${app.name}.`)
  return member
}

/** In the name of the owner who stands for the app; the audit log names the operator. */
const invite = ({ database, baseUrl, app }: Place, { email, role }: ForRole): Promise<void> => {
  if (checkEmail(email) !== undefined) throw registrationRefused(`${email} is not an email address.`)
  const inviter = { id: app.ownerId, name: app.ownerName }
  return inviteToTeam(database, { appId: app.id, actor, app: app.name, inviter, email, role, language: 'en', baseUrl })
}

/** @returns what was done, in a sentence */
const fulfil = async (place: Place, wish: Wish): Promise<string> => {
  const { database, app } = place
  if (wish.kind === 'list') return `The team of ${app.name}:`
  if (wish.kind === 'invite') {
    await invite(place, wish)
    return `${wish.email} was invited to the team of ${app.name}.`
  }
  const { userId } = await memberWith(database, app, wish.email)
  const change = { appId: app.id, userId, actor }
  if (wish.kind === 'remove') await removeMember(database, change)
  else await changeRole(database, change, wish.role)
  return wish.kind === 'remove'
    ? `${wish.email} is not on the team of ${app.name} any more.`
    : `${wish.email} is now ${wish.role} of ${app.name}.`
}

const outcomeFor = async (database: Database, app: App, done: string): Promise<Outcome> => {
  const members = await listMembers(database, app.id)
  const invitations = await listTeamInvitations(database, app.id)
  const lines = [
    ...members.map(({ email, role, name }) => `  ${role.padEnd(11)}${email}  ${name}`),
    ...invitations.map(({ email, role }) => `  ${role.padEnd(11)}${email}  (invited)`),
  ]
  return {
    text: [done, ...lines].join('\n'),
    json: {
      id: app.id,
      members: members.map(({ userId, email, name, role }) => ({ user_id: userId, email, name, role })),
      invitations: invitations.map(({ email, role, expiresAt }) => ({ email, role, expires_at: expiresAt })),
    },
  }
}

export const appTeamCommand: Command = {
  name: 'app team',
  summary: 'List the team of an app; invite somebody by mail, give them another role, or remove them.',
  usage:
    'app team (--id ID | --client-id CLIENT_ID) [--invite EMAIL --role ROLE | --change EMAIL --role ROLE | --remove EMAIL] [--json]',
  options: {
    ...appOptions,
    invite: { type: 'string' },
    change: { type: 'string' },
    remove: { type: 'string' },
    role: { type: 'string' },
  },
  required: [],
  run: async (options, config) => {
    const wish = readWish(options)
    return withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      return outcomeFor(database, app, await fulfil({ database, baseUrl: baseUrlOf(config), app }, wish))
    })
  },
}

// Everything that pages can show: apps in each state, credentials, usage, a queue, people; and the URL of every page.

import type { User } from '../../src/accounts/users.ts'
import { requestChange } from '../../src/apps/changes.ts'
import { checkRegistration } from '../../src/apps/check-registration.ts'
import { writeNote } from '../../src/apps/conversation/notes.ts'
import { requestChanges, writeToReviewers } from '../../src/apps/conversation/write-message.ts'
import { rejectApp } from '../../src/apps/decide.ts'
import { listKeys } from '../../src/apps/keys.ts'
import { editApp } from '../../src/apps/register.ts'
import { lookAtRequests } from '../../src/apps/requests/tail.ts'
import { listSecrets } from '../../src/apps/secrets.ts'
import { suspendApp } from '../../src/apps/stop.ts'
import { inviteToTeam } from '../../src/apps/team/invitations.ts'
import { createUsage } from '../../src/apps/usage.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import { createLogger } from '../../src/base/log.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey, makePendingApp, makeUser } from '../support/apps.ts'
import { writeRows } from '../support/written-rows.ts'
import { fillWebhooks } from '../webhooks/fill-webhooks.ts'

export interface EveryPage {
  readonly owner: User
  readonly reviewer: User
  readonly admin: User
  /** By screenshot name. */
  readonly ownerPages: Readonly<Record<string, string>>
  readonly reviewerPages: Readonly<Record<string, string>>
  readonly adminPages: Readonly<Record<string, string>>
  readonly apps: Readonly<Record<'pending' | 'approved' | 'rejected' | 'suspended' | 'again' | 'asked', string>>
}

const HOUR_MS = 3_600_000

/** Requests over the last hours, some of them refused, some slow. */
const fillUsage = async (database: Database, appId: string, keyId: string): Promise<void> => {
  await lookAtRequests(database, appId)
  let now = new Date()
  const usage = createUsage({ database, clock: { now: () => now }, log: createLogger('silent') })
  for (let step = 0; step < 200; step += 1) {
    now = new Date(Date.now() - ((step * 37) % 600) * (HOUR_MS / 60))
    const refused = step % 9 === 0
    usage.record({
      appId,
      keyId: step % 3 === 0 ? undefined : keyId,
      outcome: refused ? 'refused' : 'answered',
      milliseconds: (step * step) % 400,
      rows: refused ? 0 : step % 50,
      query: '{ up_masjids(limit: 5) { id name city } }',
      code: refused ? 'insufficient-scope' : undefined,
      reason: refused ? 'insufficient-scope: ua_members needs members:read' : undefined,
    })
  }
  await usage.close()
}

const registration = (name: string) => {
  const checked = checkRegistration(
    {
      name,
      description: 'It shows the times of prayer, and now also events.',
      kind: 'public',
      redirectUris: ['https://board.example.org/callback', 'https://board.example.org/second'],
      scopes: ['masjid:read', 'events:read', 'events:write'],
    },
    'production',
  )
  if (checked.kind === 'faulty') throw new Error('The registration is invalid.')
  return checked.registration
}

const makeApps = async (database: Database, owner: User): Promise<EveryPage['apps']> => {
  const ownerId = owner.id
  const own = { kind: 'user' as const, userId: ownerId, address: '192.0.2.1' }
  const wish = { ownerId, redirectUris: ['https://board.example.org/callback'] }
  const pending = await makePendingApp(database, {
    ...wish,
    name: 'Masjid screens',
    scopes: ['masjid:read', 'members:read', 'events:write', 'members:write'],
  })
  // Cannot be fetched, and no host is asked to find out.
  await database.run(sql`
    update minaret.apps set logo = 'https://board.example.org:8443/logo.png' where id = ${pending}`)
  const { id: approved } = await makeApp(database, {
    ...wish,
    name: 'Prayer board',
    kind: 'confidential',
    scopes: ['openid', 'masjid:read', 'events:read', 'events:write'],
    masjids: { only: '*', own: '*' },
  })
  const rejected = await makePendingApp(database, { ...wish, name: 'Something' })
  await rejectApp(database, { appId: rejected, actor, reason: 'Say what the app does,\nand for whom.' })
  const { id: suspended } = await makeApp(database, { ...wish, name: 'Old reader' })
  await suspendApp(database, { appId: suspended, actor, reason: 'A key leaked.' })
  const again = await makePendingApp(database, { ...wish, name: 'Sent again' })
  await rejectApp(database, { appId: again, actor, reason: 'Too little.' })
  await editApp(database, { appId: again, actor: own, registration: registration('Sent again, better') })
  const asked = await makePendingApp(database, { ...wish, name: 'Janazah news' })
  return { pending, approved, rejected, suspended, again, asked }
}

/** A second member, and an open invitation. */
const addColleagues = async (
  database: Database,
  appId: string,
  people: { owner: User; member: User },
): Promise<void> => {
  const { owner, member } = people
  await database.run(sql`
    insert into minaret.app_members (app_id, user_id, role) values (${appId}, ${member.id}, 'viewer')`)
  await inviteToTeam(database, {
    appId,
    actor: { kind: 'user', userId: owner.id, address: '192.0.2.1' },
    app: 'Prayer board',
    inviter: owner,
    email: 'colleague@example.org',
    role: 'developer',
    language: 'en',
    baseUrl: 'https://id.example.org',
  })
}

export const makeEveryPage = async (database: Database): Promise<EveryPage> => {
  const owner = await makeUser(database, { name: 'Yusuf Rahman' })
  const reviewer = await makeUser(database, { name: 'Maryam Idris', isReviewer: true })
  const admin = await makeUser(database, { name: 'Ibrahim Noor', isReviewer: true, isAdmin: true })
  const apps = await makeApps(database, owner)
  const reviewing = { kind: 'user' as const, userId: reviewer.id, address: undefined }
  const answering = { kind: 'user' as const, userId: owner.id, address: undefined }
  await requestChanges(database, { appId: apps.asked, actor: reviewing, body: 'Which masjid is it for?\nWho runs it?' })
  await writeToReviewers(database, { appId: apps.asked, actor: answering, body: 'For Masjid Noor.\nهو لشباب المسجد.' })
  await writeNote(database, { appId: apps.asked, actor: reviewing, body: 'Looks like the app of last year.' })
  await makeKey(database, { appId: apps.approved, scopes: ['masjid:read', 'events:write'], requestsPerMinute: 60 })
  await makeKey(database, { appId: apps.approved, test: true, scopes: ['members:read'] })
  const [key] = await listKeys(database, apps.approved)
  const [secret] = await listSecrets(database, apps.approved)
  await fillUsage(database, apps.approved, String(key?.id))
  const { id: changing } = await makeApp(database, { ownerId: owner.id, name: 'Changing app' })
  const own = { kind: 'user' as const, userId: owner.id, address: '192.0.2.1' }
  const change = await requestChange(database, {
    appId: changing,
    actor: own,
    registration: registration('Changed app'),
    reason: 'We show events now.',
  })
  const member = await makeUser(database, { name: 'Safiya Noor', hashed: false })
  await addColleagues(database, apps.approved, { owner, member })
  await writeRows(database, { count: 30, userId: owner.id, appId: apps.approved })
  const { endpointId, disabledId, deliveryId } = await fillWebhooks(database, apps.approved)
  const app = (id: string, path = ''): string => `/console/apps/${id}${path}`
  return {
    owner,
    reviewer,
    admin,
    apps,
    ownerPages: {
      'console-list': '/console',
      'console-new': '/console/apps/new',
      'console-pending': app(apps.pending),
      'console-approved': app(apps.approved),
      'console-rejected': app(apps.rejected),
      'console-suspended': app(apps.suspended),
      'console-changing': app(changing),
      'console-edit-rejected': app(apps.rejected, '/edit'),
      'console-edit-approved': app(changing, '/edit'),
      'console-credentials': app(apps.approved, '/credentials'),
      'console-key-limit': app(apps.approved, `/keys/${key?.id}/limit`),
      'console-credentials-pending': app(apps.pending, '/credentials'),
      'console-development': app(apps.approved, '/development'),
      'console-development-pending': app(apps.pending, '/development'),
      'console-team': app(apps.approved, '/team'),
      'console-team-remove': app(apps.approved, `/team/${member.id}/remove`),
      'console-team-leave': app(apps.approved, '/team/leave'),
      'console-start': app(apps.approved, '/start'),
      'console-webhooks': app(apps.approved, '/webhooks'),
      'console-webhooks-empty': app(apps.pending, '/webhooks'),
      'console-webhooks-new': app(apps.approved, '/webhooks/new'),
      'console-webhooks-endpoint': app(apps.approved, `/webhooks/${endpointId}`),
      'console-webhooks-disabled': app(apps.approved, `/webhooks/${disabledId}?state=dead`),
      'console-webhooks-delivery': app(apps.approved, `/webhooks/${endpointId}/deliveries/${deliveryId}`),
      'console-webhooks-rotate': app(apps.approved, `/webhooks/${endpointId}/rotate`),
      'console-usage': app(apps.approved, '/usage?span=day'),
      'console-usage-empty': app(apps.pending, '/usage'),
      'console-requests': app(apps.approved, '/requests'),
      'console-requests-empty': app(apps.pending, '/requests'),
      'console-history-credentials': app(apps.approved, '/history'),
      'console-history': app(apps.again, '/history'),
      'console-messages': app(apps.asked, '/messages'),
      'console-messages-empty': app(apps.approved, '/messages'),
      'console-settings': app(changing, '/settings'),
      'console-settings-suspended': app(apps.suspended, '/settings'),
      'console-suspend': app(apps.approved, '/suspend'),
      'console-delete': app(apps.approved, '/delete'),
      'console-withdraw': app(changing, '/change/withdraw'),
      'console-revoke-key': app(apps.approved, `/keys/${key?.id}/revoke`),
      'console-revoke-secret': app(apps.approved, `/secrets/${secret?.id}/revoke`),
    },
    reviewerPages: {
      'review-queue': '/review',
      'console-self-described': '/console/self-described',
      'review-asked': '/review?state=asked',
      'review-conversation': `/review/apps/${apps.asked}`,
      'review-hosts': '/review/hosts',
      'review-rejected': '/review?state=rejected',
      'review-approved': '/review?state=approved',
      'review-new': `/review/apps/${apps.pending}`,
      'review-again': `/review/apps/${apps.again}`,
      'review-app': `/review/apps/${apps.approved}`,
      'review-app-suspended': `/review/apps/${apps.suspended}`,
      'review-suspend': `/review/apps/${apps.approved}/suspend`,
      'review-change': `/review/changes/${change}`,
      'review-audit': '/review/audit',
    },
    adminPages: {
      'admin-overview': '/admin/overview',
      'admin-masjids': '/admin/masjids',
      'admin-masjids-none': '/admin/masjids?q=nowhere-at-all',
      'admin-users': '/admin',
      'admin-nobody': '/admin?q=nobody-of-this-name',
      'admin-user': `/admin/users/${owner.id}`,
      'admin-disable': `/admin/users/${owner.id}/disable`,
      'admin-end-sessions': `/admin/users/${owner.id}/end-sessions`,
      'admin-audit': '/admin/audit',
      'admin-audit-filtered': '/admin/audit?action=app.',
      'admin-changes': '/admin/changes',
      'admin-changes-filtered': '/admin/changes?table=up_signs&kind=delete',
      'admin-mail': '/admin/mail',
      'admin-keys': '/admin/signing-keys',
      'admin-rotate': '/admin/signing-keys/rotate',
    },
  }
}

// Everything that pages can show: apps in each state, credentials, usage, a queue, people; and the URL of every page.

import type { User } from '../../src/accounts/users.ts'
import { requestChange } from '../../src/apps/changes.ts'
import { checkRegistration } from '../../src/apps/check-registration.ts'
import { rejectApp } from '../../src/apps/decide.ts'
import { listKeys } from '../../src/apps/keys.ts'
import { editApp } from '../../src/apps/register.ts'
import { listSecrets } from '../../src/apps/secrets.ts'
import { suspendApp } from '../../src/apps/stop.ts'
import { createUsage } from '../../src/apps/usage.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import { createLogger } from '../../src/base/log.ts'
import type { Database } from '../../src/db/database.ts'
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
  readonly apps: Readonly<Record<'pending' | 'approved' | 'rejected' | 'suspended' | 'again', string>>
}

const HOUR_MS = 3_600_000

/** Requests over the last hours, some of them refused, some slow. */
const fillUsage = async (database: Database, appId: string, keyId: string): Promise<void> => {
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
    // Cannot be fetched, and no host is asked to find out.
    logo: 'https://board.example.org:8443/logo.png',
    scopes: ['masjid:read', 'members:read', 'events:write', 'members:write'],
  })
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
  return { pending, approved, rejected, suspended, again }
}

export const makeEveryPage = async (database: Database): Promise<EveryPage> => {
  const owner = await makeUser(database, { name: 'Yusuf Rahman' })
  const reviewer = await makeUser(database, { name: 'Maryam Idris', isReviewer: true })
  const admin = await makeUser(database, { name: 'Ibrahim Noor', isReviewer: true, isAdmin: true })
  const apps = await makeApps(database, owner)
  await makeKey(database, { appId: apps.approved, scopes: ['masjid:read', 'events:write'] })
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
      'console-credentials-pending': app(apps.pending, '/credentials'),
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
      'console-history': app(apps.again, '/history'),
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
      'admin-users': '/admin',
      'admin-nobody': '/admin?q=nobody-of-this-name',
      'admin-user': `/admin/users/${owner.id}`,
      'admin-disable': `/admin/users/${owner.id}/disable`,
      'admin-end-sessions': `/admin/users/${owner.id}/end-sessions`,
      'admin-audit': '/admin/audit',
      'admin-audit-filtered': '/admin/audit?action=app.',
      'admin-changes': '/admin/changes',
      'admin-changes-filtered': '/admin/changes?table=up_signs&kind=delete',
      'admin-keys': '/admin/signing-keys',
      'admin-rotate': '/admin/signing-keys/rotate',
    },
  }
}

// Administration: people and their rights, the audit log, the signing keys.
import type { FastifyInstance } from 'fastify'
import { recordAudit } from '../access/audit.ts'
import { AUDIT_PAGE, type AuditFilters, readAudit } from '../access/read-audit.ts'
import { searchUsers } from '../accounts/administer.ts'
import { systemClock } from '../base/clock.ts'
import { sql } from '../db/sql.ts'
import type { KeyKeeper } from '../oauth/signing-keys/maintain-keys.ts'
import { rotateKeys } from '../oauth/signing-keys/rotate-keys.ts'
import { type AuditFormValues, auditPage } from '../web/admin/audit-page.ts'
import { type SigningKeyLine, signingKeysPage } from '../web/admin/signing-keys-page.ts'
import { usersPage } from '../web/admin/users-page.ts'
import { confirmPage } from '../web/pieces/confirm-page.ts'
import { addAdminUserRoutes } from './admin-user-routes.ts'
import { actorOf, type ConsoleParts } from './console-parts.ts'
import { type Answer, redirectTo, showPage } from './pages-answer.ts'
import { addPages, type PageRoutes, type SignedInVisit } from './pages-routes.ts'
import { administering } from './review-rights.ts'

export interface AdminParts extends ConsoleParts {
  readonly keyKeeper: KeyKeeper
}

const pageNumber = (text: string): number => {
  const asked = Number(text)
  return Number.isInteger(asked) && asked > 0 && asked < 100_000 ? asked : 1
}

const showUsers = async ({ database }: AdminParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const [words, page] = [query.text('q').slice(0, 200), pageNumber(query.text('page'))]
  return showPage(usersPage(view, { ...(await searchUsers(database, words, page)), words, page }))
}

const DAY_MS = 86_400_000

const dayOf = (text: string): Date | undefined => {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return day === undefined || Number.isNaN(day.getTime()) ? undefined : day
}

const filtersOf = (values: AuditFormValues, before: string): AuditFilters => {
  const to = dayOf(values.to)
  return {
    action: values.action || undefined,
    userEmail: values.user || undefined,
    app: values.app || undefined,
    from: dayOf(values.from),
    // The day that was named is still a part of it.
    to: to === undefined ? undefined : new Date(to.getTime() + DAY_MS),
    before: /^\d{1,18}$/.test(before) ? before : undefined,
  }
}

const showAudit = async ({ database }: AdminParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const text = (name: string): string => query.text(name).slice(0, 200)
  const values = { action: text('action'), user: text('user'), app: text('app'), from: text('from'), to: text('to') }
  const rows = await readAudit(database, filtersOf(values, query.text('before')))
  const shown = rows.slice(0, AUDIT_PAGE)
  const older = rows.length > AUDIT_PAGE ? shown.at(-1)?.id : undefined
  return showPage(auditPage(view, { values, rows: shown, older }))
}

const showKeys = async ({ database }: AdminParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const keys = await database.query<SigningKeyLine>(sql`
    select kid, algorithm, state, created_at as "createdAt", activated_at as "activatedAt", retired_at as "retiredAt"
    from minaret.signing_keys order by algorithm, created_at desc limit 100`)
  const done = query.text('done') === 'rotated' ? view.texts.admin.rotated : undefined
  return showPage(signingKeysPage(view, keys, done))
}

const askRotate = ({ view }: SignedInVisit): Answer => {
  const { admin } = view.texts
  return showPage(
    confirmPage(view, {
      title: admin.rotateTitle,
      text: admin.rotateText,
      action: '/admin/signing-keys/rotate',
      button: admin.rotate,
      cancel: '/admin/signing-keys',
      section: 'admin',
    }),
  )
}

const acceptRotate = async ({ database, keyKeeper }: AdminParts, visit: SignedInVisit): Promise<Answer> => {
  await rotateKeys(keyKeeper, systemClock.now())
  await recordAudit(database, { action: 'signing_keys.rotated', actor: actorOf(visit) })
  return redirectTo('/admin/signing-keys?done=rotated')
}

const addKeyRoutes = (routes: PageRoutes, parts: AdminParts): void => {
  routes.getSignedIn(
    '/admin/signing-keys',
    administering(visit => showKeys(parts, visit)),
  )
  routes.getSignedIn('/admin/signing-keys/rotate', administering(askRotate))
  routes.postSignedIn(
    '/admin/signing-keys/rotate',
    administering(visit => acceptRotate(parts, visit)),
  )
}

export const addAdminRoutes = (server: FastifyInstance, parts: AdminParts): Promise<void> =>
  addPages(server, parts.pages, routes => {
    routes.getSignedIn(
      '/admin',
      administering(visit => showUsers(parts, visit)),
    )
    routes.getSignedIn(
      '/admin/audit',
      administering(visit => showAudit(parts, visit)),
    )
    addAdminUserRoutes(routes, parts)
    addKeyRoutes(routes, parts)
  })

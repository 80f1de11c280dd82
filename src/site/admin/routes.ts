// Administration: people and their rights, the audit log, changes of data, the signing keys.
import type { FastifyInstance } from 'fastify'
import { searchUsers } from '../../accounts/administer.ts'
import { lastSignIns } from '../../accounts/last-sign-in.ts'
import { readServiceFigures } from '../../apps/service-figures.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { type OwnBuild, shortCommit } from '../../base/build/own-build.ts'
import { systemClock } from '../../base/clock.ts'
import type { JobBook } from '../../metrics/job-book.ts'
import { listKeys } from '../../oauth/signing-keys/list-keys.ts'
import type { KeyKeeper } from '../../oauth/signing-keys/maintain-keys.ts'
import { rotateKeys } from '../../oauth/signing-keys/rotate-keys.ts'
import { sendAudit, showAudit } from '../audit/show-audit.ts'
import { actorOf, type ConsoleParts } from '../console/parts.ts'
import { addDataChangesRoutes } from '../data-changes/routes.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { addPages, type PageRoutes, type SignedInVisit } from '../frame/page-routes.ts'
import { administering } from '../frame/rights.ts'
import { confirmPage } from '../pieces/confirm-page.ts'
import { addAdminMailRoutes } from './mail/routes.ts'
import { addAdminMasjidRoutes } from './masjids/routes.ts'
import { adminOverviewPage } from './overview/overview-page.ts'
import { pageNumber } from './page-number.ts'
import { signingKeysPage } from './signing-keys-page.ts'
import { addAdminUserRoutes } from './user-routes.ts'
import { usersPage } from './users-page.ts'

export interface AdminParts extends ConsoleParts {
  readonly keyKeeper: KeyKeeper
  readonly jobs: Pick<JobBook, 'runs'>
  readonly build: OwnBuild
}

const showUsers = async ({ database }: AdminParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const [words, page] = [query.text('q').slice(0, 200), pageNumber(query.text('page'))]
  const found = await searchUsers(database, words, page)
  const signedIn = await lastSignIns(
    database,
    found.users.map(({ id }) => id),
  )
  return showPage(usersPage(view, { ...found, words, page, signedIn }))
}

const showOverview = async ({ database, jobs, build }: AdminParts, { view }: SignedInVisit): Promise<Answer> => {
  const figures = await readServiceFigures(database)
  return showPage(
    adminOverviewPage(view, { figures, jobs: jobs.runs(), minaret: `${build.version} ${shortCommit(build)}` }),
  )
}

const showKeys = async ({ database }: AdminParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const keys = await listKeys(database)
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
      administering(visit => showAudit(parts, visit, 'admin')),
    )
    routes.postSignedIn(
      '/admin/audit/export',
      administering(visit => sendAudit(parts, visit)),
    )
    routes.getSignedIn(
      '/admin/overview',
      administering(visit => showOverview(parts, visit)),
    )
    addAdminMasjidRoutes(routes, parts)
    addDataChangesRoutes(routes, parts)
    addAdminUserRoutes(routes, parts)
    addAdminMailRoutes(routes, parts)
    addKeyRoutes(routes, parts)
  })

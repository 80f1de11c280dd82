// The list of apps that describe themselves, for reviewers and administrators.
import { listDescribedApps } from '../../../apps/hosts.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { reviewing } from '../../frame/rights.ts'
import { showWithCopies } from '../../pieces/copy/copy.ts'
import type { ConsoleParts } from '../parts.ts'
import { selfDescribedPage } from './page.ts'

export const SELF_DESCRIBED_PATH = '/console/self-described'

export const addSelfDescribedRoutes = (routes: PageRoutes, { database }: ConsoleParts): void => {
  routes.getSignedIn(
    SELF_DESCRIBED_PATH,
    reviewing(async ({ view }) => showWithCopies(selfDescribedPage(view, await listDescribedApps(database)))),
  )
}

// Every area of the site on one server: the table of contents of what people see.
import type { FastifyInstance } from 'fastify'
import type { Provider } from '../oauth/provider.ts'
import type { NoteAsked } from '../prayer/on-demand/asked-masjids.ts'
import { addAccountRoutes } from './account/routes.ts'
import { type AppPagesParts, addAppPages } from './app-pages.ts'
import { formPostScript } from './consent/form-post-page.ts'
import { authorizeRoutes } from './consent/routes.ts'
import { chartScript } from './console/chart-script.ts'
import { draftScript } from './console/drafts/draft-field.ts'
import { requestsScript } from './console/requests/page.ts'
import { addDevicePages } from './device/routes.ts'
import { docsScript } from './docs/docs-assets.ts'
import { addDocs } from './docs/routes.ts'
import { explorerAssets } from './explorer/explorer-assets.ts'
import { addMainExplorer, addSandboxExplorer, type SandboxExplorerParts } from './explorer/routes.ts'
import { passkeyScript } from './factors/passkey-form.ts'
import { addFactorPages } from './factors/routes.ts'
import { findScript } from './find/finder-form.ts'
import { addFinder } from './find/routes.ts'
import { addAssetRoutes } from './frame/assets-routes.ts'
import type { PageFrame } from './frame/page-routes.ts'
import { landingAssets } from './landing/landing-assets.ts'
import { addLanding, type LandingParts } from './landing/routes.ts'
import { logoutRoutes } from './logout/routes.ts'
import { addCrawlerRoutes } from './masjid/crawlers.ts'
import { masjidAssets } from './masjid/masjid-assets.ts'
import { addMasjidPages } from './masjid/routes.ts'
import { pictureRoutes } from './picture/routes.ts'
import { showJsonScript } from './pieces/code/show-json.ts'
import { copyScript } from './pieces/copy/copy.ts'
import { landPicture } from './pieces/map/land.ts'
import { timesScript } from './pieces/times/times.ts'
import { addProviderPages } from './providers/routes.ts'
import { addRsvpPages } from './rsvp/routes.ts'
import { addScreenRoutes, type ScreenParts } from './screen/routes.ts'
import type { AccountParts } from './sign-in/account-parts.ts'
import { passwordScript } from './sign-in/password-script.ts'
import { addSignInPages } from './sign-in/routes.ts'
import { sheetStyle } from './staff/print/sheet-page.ts'
import { addStaffRoutes } from './staff/routes.ts'
import type { StaffParts } from './staff/staff-parts.ts'

export interface SiteParts
  extends AppPagesParts,
    AccountParts,
    LandingParts,
    StaffParts,
    ScreenParts,
    Omit<SandboxExplorerParts, 'pages'> {
  readonly provider: Provider
  readonly pages: PageFrame
  /** Told which masjids' times somebody asked for. */
  readonly noteAsked: NoteAsked
}

/** `sandbox` runs the console's first query in-process. */
export const addSite = async (server: FastifyInstance, sandbox: FastifyInstance, parts: SiteParts): Promise<void> => {
  const { provider, pages } = parts
  addAssetRoutes(server, [
    ...explorerAssets,
    ...landingAssets,
    ...masjidAssets,
    chartScript,
    copyScript,
    docsScript,
    draftScript,
    findScript,
    formPostScript,
    passkeyScript,
    passwordScript,
    requestsScript,
    sheetStyle,
    showJsonScript,
    timesScript,
  ])
  await addLanding(server, parts)
  await addFinder(server, parts)
  await addMasjidPages(server, parts)
  await addRsvpPages(server, parts)
  await addCrawlerRoutes(server, parts)
  await addDocs(server, parts)
  await addMainExplorer(server, parts)
  await authorizeRoutes(server, provider.authorize, pages)
  await addDevicePages(server, provider.authorize, pages)
  await server.register(scope => addScreenRoutes(scope, parts))
  await logoutRoutes(server, provider.authorize, pages)
  pictureRoutes(server, parts.database)
  await addSignInPages(server, parts)
  await addFactorPages(server, parts)
  await addProviderPages(server, parts)
  await addAccountRoutes(server, parts)
  await addStaffRoutes(server, parts)
  await addAppPages(server, sandbox, parts)
}

export const addSandboxSite = (server: FastifyInstance, parts: SandboxExplorerParts): void => {
  addAssetRoutes(server, [...explorerAssets, landPicture])
  addSandboxExplorer(server, parts)
}

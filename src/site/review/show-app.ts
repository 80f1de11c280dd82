// The page of one app on the review desk, as it is now or as a form left it.
import type { App } from '../../apps/app.ts'
import { listChanges } from '../../apps/changes.ts'
import { listMessages } from '../../apps/conversation/messages.ts'
import { listNotes } from '../../apps/conversation/notes.ts'
import { listMoves } from '../../apps/history.ts'
import { runMachineChecks } from '../../apps/machine-checks.ts'
import { listMasjidChoices, masjidsOfApp, type NamedMasjid } from '../../apps/masjids.ts'
import { nextWaiting } from '../../apps/review-queue.ts'
import { sinceLastDecision } from '../../apps/since-last-decision.ts'
import { anyApp, type ConsoleParts } from '../console/parts.ts'
import { type Answer, showPage } from '../frame/page-reply.ts'
import type { SignedInVisit } from '../frame/page-routes.ts'
import { type ReviewAppParts, reviewAppPage } from './app-page.ts'
import { approveAll } from './approve-form.ts'
import { listedMasjids, type MasjidValues } from './masjid-fields.ts'
import { refusedDecision } from './refused-decision.ts'

type Changed = Partial<
  Pick<ReviewAppParts, 'values' | 'listed' | 'faults' | 'refusal' | 'rejectFault' | 'reason' | 'said' | 'done'>
>

/** The masjids of an approved app, as the form would have sent them. */
const inForce = (app: App, masjids: readonly NamedMasjid[]): MasjidValues => {
  const own = masjids.filter(({ isOwn }) => isOwn).map(({ id }) => id)
  return {
    reach: app.allMasjids ? 'all' : 'some',
    masjids: app.allMasjids ? [] : masjids.map(({ id }) => id),
    ownReach: app.ownAllMasjids ? 'all' : own.length > 0 ? 'some' : 'none',
    own,
    find: '',
  }
}

export const showApp = async (
  { database }: ConsoleParts,
  visit: SignedInVisit,
  { app, status, ...changed }: Changed & { readonly app: App; readonly status?: number },
): Promise<Answer> => {
  const moves = await listMoves(database, app.id)
  const messages = await listMessages(database, app.id)
  const masjids = await masjidsOfApp(database, app.id)
  const values =
    app.state === 'pending' ? approveAll(app.requestedScopes) : { ...approveAll([]), ...inForce(app, masjids) }
  const page = reviewAppPage(visit.view, {
    app,
    masjids,
    moves,
    masjidChoices: await listMasjidChoices(database, app.id),
    changes: await listChanges(database, app.id),
    checks: await runMachineChecks(database, app, visit.session.user.id),
    since: sinceLastDecision(app, moves, messages),
    messages,
    notes: await listNotes(database, app.id),
    next: await nextWaiting(database, visit.session.user.id, app.id),
    values,
    listed: app.state === 'pending' ? [] : await listedMasjids(database, values),
    faults: {},
    ...changed,
  })
  return showPage(page, { status: status ?? 200 })
}

/** Another reviewer was faster, or the owner edited the app: the page shows its current state. */
export const refuse = async (parts: ConsoleParts, visit: SignedInVisit, error: unknown): Promise<Answer> =>
  showApp(parts, visit, { app: await anyApp(parts, visit), ...refusedDecision(visit, error) })

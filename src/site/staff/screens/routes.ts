// /staff/{slug}/screens: the screens of a masjid, listed, changed and disconnected by those who look after them.
import type { Actor } from '../../../audit/record-audit.ts'
import { notFound } from '../../../http/not-found.ts'
import {
  changeScreen,
  findScreen,
  listScreenHistory,
  listScreens,
  revokeScreen,
  type Screen,
} from '../../../screens/screen.ts'
import { withUsual } from '../../../screens/settings.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { doneWords, idIn, REFUSED } from '../form-steps.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { screensPage } from './list-page.ts'
import { faultsIn, readValues, settingsOf, valuesOf } from './read-form.ts'
import { screenPage } from './screen-page.ts'

const actorOf = ({ session, address }: SignedInVisit): Actor => ({ kind: 'user', userId: session.user.id, address })

const showScreens = async ({ database, baseUrl }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const screens = await listScreens(database, masjid.id)
  const history = await listScreenHistory(database, masjid.id)
  const { changed, revoked } = visit.view.texts.staffScreens
  const done = doneWords(visit, { changed, revoked }).words
  return showPage(screensPage(visit.view, { masjid, baseUrl, screens, history, done }))
}

const screenIn = async ({ database }: StaffParts, { visit, masjid }: StaffVisit): Promise<Screen> => {
  const screen = await findScreen(database, masjid.id, idIn(visit))
  if (screen === undefined) throw notFound()
  return screen
}

const showScreen = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const screen = await screenIn(parts, here)
  const values = valuesOf(screen.name, withUsual(screen.settings))
  return showPage(screenPage(here.visit.view, { masjid: here.masjid, screen, values }))
}

const saveScreen = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const screen = await screenIn(parts, here)
  const values = readValues(visit.form)
  const faults = faultsIn(values, visit.view.texts)
  if (Object.keys(faults).length > 0)
    return showPage(screenPage(visit.view, { masjid, screen, values, faults }), REFUSED)
  const settings = settingsOf(values)
  await changeScreen(parts.database, { screen, actor: actorOf(visit), name: values.name, settings })
  return redirectTo(`${staffPath(masjid, 'screens')}?done=changed`)
}

const endScreen = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const screen = await screenIn(parts, here)
  await revokeScreen(parts.database, { screen, actor: actorOf(here.visit) })
  return redirectTo(`${staffPath(here.masjid, 'screens')}?done=revoked`)
}

export const addStaffScreenRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'screens')
  const base = '/staff/:slug/screens'
  routes.getSignedIn(base, here(showScreens))
  routes.getSignedIn(`${base}/:id`, here(showScreen))
  routes.postSignedIn(`${base}/:id`, here(saveScreen))
  routes.postSignedIn(`${base}/:id/revoke`, here(endScreen))
}

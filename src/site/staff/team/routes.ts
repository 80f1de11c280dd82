// The team of a masjid: who looks after what, and invitations that are sent, sent again and withdrawn.
import { checkEmail } from '../../../accounts/email-rules.ts'
import { type Capability, capabilityNames } from '../../../base/capability-names.ts'
import { type HeldCapability, listCapabilities } from '../../../capabilities/capabilities.ts'
import { invite, inviteAgain, listInvitations, withdrawInvitation } from '../../../capabilities/invitations.ts'
import { notFound } from '../../../http/not-found.ts'
import { actorOf } from '../../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { ask } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { doneWords, idIn, REFUSED } from '../form-steps.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { personPage } from './person-page.ts'
import { type TeamParts, teamPage } from './team-page.ts'

type Changed = Partial<Pick<TeamParts, 'typed' | 'faults' | 'done'>>

const teamOf = async ({ database }: StaffParts, { visit, masjid }: StaffVisit, changed: Changed = {}) =>
  teamPage(visit.view, {
    masjid,
    held: await listCapabilities(database, { masjidId: masjid.id, userId: undefined }),
    invitations: await listInvitations(database, masjid.id),
    typed: { email: '', capabilities: [] },
    now: new Date(),
    ...changed,
  })

const showTeam = async (parts: StaffParts, here: StaffVisit): Promise<Answer> =>
  showPage(await teamOf(parts, here, { done: doneWords(here.visit, here.visit.view.texts.staffTeam.done).words }))

const chosenIn = ({ visit }: StaffVisit): Capability[] => {
  const ticked = visit.form.list('capabilities')
  return capabilityNames.filter(name => ticked.includes(name))
}

const isLimit = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'masjid_invitations_limit_check'

const senderOf = ({ visit, masjid }: StaffVisit, { baseUrl }: StaffParts) => ({
  masjid,
  user: visit.session.user,
  actor: actorOf(visit),
  language: visit.view.language,
  baseUrl,
})

const sendInvitation = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const typed = { email: here.visit.form.text('email'), capabilities: chosenIn(here) }
  const faults: TeamParts['faults'] = {
    ...(checkEmail(typed.email) === undefined ? {} : { email: 'emailWrong' }),
    ...(typed.capabilities.length === 0 ? { capabilities: 'none' } : {}),
  }
  if (Object.keys(faults).length > 0) return showPage(await teamOf(parts, here, { typed, faults }), REFUSED)
  try {
    await invite(parts.database, { ...senderOf(here, parts), ...typed })
  } catch (error) {
    if (!isLimit(error)) throw error
    return showPage(await teamOf(parts, here, { typed, faults: { email: 'tooMany' } }), REFUSED)
  }
  return redirectTo(`${staffPath(here.masjid, 'team')}?done=sent`)
}

const sendAgain = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const sent = await inviteAgain(parts.database, { ...senderOf(here, parts), id: idIn(here.visit) })
  return redirectTo(`${staffPath(here.masjid, 'team')}?done=${sent ? 'again' : 'not-again'}`)
}

const withdraw = async ({ database }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const actor = { ...actorOf(visit), userId: visit.session.user.id }
  if (!(await withdrawInvitation(database, { id: idIn(visit), masjidId: masjid.id, actor }))) throw notFound()
  return redirectTo(`${staffPath(masjid, 'team')}?done=withdrawn`)
}

/** Somebody who holds nothing here is not shown: accounts are found by invitation alone. */
const heldBy = async ({ database }: StaffParts, { visit, masjid }: StaffVisit): Promise<HeldCapability[]> => {
  const held = await listCapabilities(database, { masjidId: masjid.id, userId: idIn(visit) })
  if (held.length === 0) throw notFound()
  return held
}

const showPerson = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const held = await heldBy(parts, here)
  const chosen = held.map(({ capability }) => capability)
  return showPage(personPage(here.visit.view, { masjid: here.masjid, held, chosen }))
}

/** All changes in one operation: either everything is granted and withdrawn, or nothing. Granting comes first. */
const documentOf = (granted: readonly string[], withdrawn: readonly string[]): string => {
  const call = (verb: string, name: string): string =>
    `${verb}_${name}: ua_${verb}_capability(args: {masjid_id: $masjid, user_id: $user, capability: ${name}}) { id }`
  const calls = [...granted.map(name => call('grant', name)), ...withdrawn.map(name => call('withdraw', name))]
  return `mutation Capabilities($masjid: uuid!, $user: uuid!) { ${calls.join(' ')} }`
}

const savePerson = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const held = await heldBy(parts, here)
  const chosen = chosenIn(here)
  const before = held.map(({ capability }) => capability)
  const granted = chosen.filter(name => !before.includes(name))
  const withdrawn = capabilityNames.filter(name => before.includes(name) && !chosen.includes(name))
  const saved = redirectTo(`${staffPath(masjid, 'team')}?done=saved`)
  if (granted.length + withdrawn.length === 0) return saved
  const variables = { masjid: masjid.id, user: idIn(visit) }
  const written = await ask(parts.graphql, visit, { query: documentOf(granted, withdrawn), variables })
  if (!('refused' in written)) return saved
  const { message, extensions } = written.refused
  const problem = /^ua_capabilities_/.test(String(extensions.constraint)) ? { fault: message } : { refusal: message }
  return showPage(personPage(visit.view, { masjid, held, chosen, ...problem }), REFUSED)
}

export const addTeamRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'capabilities')
  const base = '/staff/:slug/team'
  routes.getSignedIn(base, here(showTeam))
  routes.postSignedIn(`${base}/invite`, here(sendInvitation))
  routes.postSignedIn(`${base}/invitations/:id/again`, here(sendAgain))
  routes.postSignedIn(`${base}/invitations/:id/withdraw`, here(withdraw))
  routes.getSignedIn(`${base}/people/:id`, here(showPerson))
  routes.postSignedIn(`${base}/people/:id`, here(savePerson))
}

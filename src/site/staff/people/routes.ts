// People: list and search, create, edit, delete and take back, export.
import { recordAudit } from '../../../audit/record-audit.ts'
import { localDateAt } from '../../../base/local-time.ts'
import { actorOf } from '../../console/parts.ts'
import { type Answer, redirectTo, sendFile, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { confirmPage } from '../../pieces/confirm-page.ts'
import { fill } from '../../pieces/fill.ts'
import { ask, read } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { doneWords, idIn, REFUSED, restoreAt, skipOf, versionOf } from '../form-steps.ts'
import type { StaffParts } from '../staff-parts.ts'
import { addConsentRoutes } from './consent-routes.ts'
import { exportPeople } from './export-people.ts'
import { peopleFilter, statusOf } from './find-people.ts'
import { addHouseholdRoutes } from './household-routes.ts'
import { addImportRoutes } from './import-routes.ts'
import { listPage } from './list-page.ts'
import { peoplePath } from './people-path.ts'
import { findHouseholdById, findPerson, refusalOfWriting } from './people-steps.ts'
import { CHANGE, CREATE, DELETE, LIST, type Member, nameOf, RESTORE } from './person.ts'
import { type PersonPageParts, personPage } from './person-page.ts'
import { checkPerson, emptyPerson, type PersonForm, personFormOf, readPerson } from './read-person.ts'

const showList = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const skip = skipOf(visit)
  const filters = { words: visit.query.text('q'), status: statusOf(visit.query.text('status')) }
  const variables = { where: peopleFilter(masjid.id, filters), skip }
  const { people } = await read<{ people: Member[] }>(graphql, visit, { query: LIST, variables })
  const done = doneWords(visit, visit.view.texts.staffPeople.done)
  return showPage(listPage(visit.view, { masjid, people, filters, skip, done: done.words, deleted: done.deleted }))
}

const uuid = /^[0-9a-f-]{36}$/

const showNew = async (_: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const wanted = visit.query.text('household')
  const values = emptyPerson(masjid.timezone, uuid.test(wanted) ? wanted : '', new Date())
  return showPage(personPage(visit.view, { masjid, member: undefined, values }))
}

type Why = Pick<PersonPageParts, 'faults' | 'refusal' | 'conflict'>

const whyRefused = ({
  code,
  message,
  extensions,
}: {
  readonly code: string
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
}): Why => {
  if (code === 'conflict') return { conflict: true }
  if (extensions.constraint === 'ua_members_masjid_id_email_key') return { faults: { email: 'emailTaken' } }
  return { refusal: message }
}

/** The household that a new person is added to. @throws {Fault} `not_found` if it is another masjid's. */
const householdOf = async (parts: StaffParts, here: StaffVisit, { household }: PersonForm): Promise<string | null> =>
  uuid.test(household) ? (await findHouseholdById(parts, here, household)).id : null

const acceptNew = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const values = readPerson(visit.form)
  const shown = { masjid, member: undefined, values }
  const checked = checkPerson(values)
  if ('faults' in checked) return showPage(personPage(visit.view, { ...shown, faults: checked.faults }), REFUSED)
  const household_id = await householdOf(parts, here, values)
  const variables = { object: { ...checked.values, household_id, masjid_id: masjid.id } }
  const written = await ask<{ written: { id: string } }>(parts.graphql, visit, { query: CREATE, variables })
  if ('refused' in written)
    return showPage(personPage(visit.view, { ...shown, ...whyRefused(written.refused) }), REFUSED)
  return redirectTo(`${peoplePath(masjid, written.data.written.id)}?done=created`)
}

const showEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const member = await findPerson(parts, here)
  const done = doneWords(visit, visit.view.texts.staffPeople.done).words
  return showPage(personPage(visit.view, { masjid, member, values: personFormOf(member), done }))
}

const acceptEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const member = await findPerson(parts, here)
  const values = readPerson(visit.form)
  const shown = { masjid, member, values }
  const checked = checkPerson(values)
  if ('faults' in checked) return showPage(personPage(visit.view, { ...shown, faults: checked.faults }), REFUSED)
  const variables = { id: member.id, set: checked.values, version: versionOf(values.version) }
  const written = await ask(parts.graphql, visit, { query: CHANGE, variables })
  if ('refused' in written)
    return showPage(personPage(visit.view, { ...shown, ...whyRefused(written.refused) }), REFUSED)
  return redirectTo(`${peoplePath(masjid, member.id)}?done=saved`)
}

const confirmDeletion = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { view } = here.visit
  const member = await findPerson(parts, here)
  const { deleteTitle, deleteText } = view.texts.staffPeople
  return showPage(
    confirmPage(view, {
      title: deleteTitle,
      text: fill(deleteText, { name: nameOf(member) }),
      action: peoplePath(here.masjid, member.id, 'delete'),
      button: view.texts.common.delete,
      cancel: peoplePath(here.masjid, member.id),
      section: 'staff',
    }),
  )
}

/** Somebody who holds a capability is not deleted by those who look after people alone: the page says why. */
const remove = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const member = await findPerson(parts, here)
  const refusal = await refusalOfWriting(parts, here, { query: DELETE, variables: { id: member.id } })
  if (refusal === undefined) return redirectTo(`${peoplePath(masjid)}?done=deleted&id=${member.id}`)
  return showPage(personPage(visit.view, { masjid, member, values: personFormOf(member), refusal }), REFUSED)
}

const restore = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  await restoreAt(parts, here, { query: RESTORE, variables: { id: idIn(here.visit) } })
  return redirectTo(`${peoplePath(here.masjid)}?done=restored`)
}

/** Recorded before anything leaves, so that an export that breaks off is known too. */
const exportAll = async ({ database, graphql }: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const detail = { masjid: masjid.id, slug: masjid.slug }
  await recordAudit(database, { action: 'people.exported', actor: actorOf(visit), detail })
  return sendFile({
    name: `people-${masjid.slug}-${localDateAt(new Date(), masjid.timezone)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    body: exportPeople(graphql, here),
  })
}

export const addPeopleRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'people')
  const base = '/staff/:slug/people'
  routes.getSignedIn(base, here(showList))
  routes.getSignedIn(`${base}/new`, here(showNew))
  routes.postSignedIn(`${base}/new`, here(acceptNew))
  routes.postSignedIn(`${base}/export`, here(exportAll))
  routes.getSignedIn(`${base}/:id`, here(showEdit))
  routes.postSignedIn(`${base}/:id`, here(acceptEdit))
  routes.getSignedIn(`${base}/:id/delete`, here(confirmDeletion))
  routes.postSignedIn(`${base}/:id/delete`, here(remove))
  routes.postSignedIn(`${base}/:id/restore`, here(restore))
  addHouseholdRoutes(routes, parts)
  addConsentRoutes(routes, parts)
  addImportRoutes(routes, parts)
}

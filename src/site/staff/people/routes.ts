// People: list and search, create, edit, delete and take back, export.

import { recordAudit } from '../../../audit/record-audit.ts'
import { localDateAt } from '../../../base/local-time.ts'
import { isUuid } from '../../../base/uuid.ts'
import { confirmLink, findLinkOfMember } from '../../../people/member-links.ts'
import { actorOf } from '../../console/parts.ts'
import { type Answer, redirectTo, sendFile, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { type Refused, read } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { addDeletionRoutes, type Deletion, deletedAt } from '../deletion-routes.ts'
import { doneWords, REFUSED, skipOf, versionOf } from '../form-steps.ts'
import { saveForm } from '../save-form.ts'
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
import { personPage } from './person-page.ts'
import {
  checkPerson,
  emptyPerson,
  type PersonFaults,
  type PersonForm,
  personFormOf,
  readPerson,
} from './read-person.ts'

const showList = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const skip = skipOf(visit)
  const filters = { words: visit.query.text('q'), status: statusOf(visit.query.text('status')) }
  const variables = { where: peopleFilter(masjid.id, filters), skip }
  const { people } = await read<{ people: Member[] }>(graphql, visit, { query: LIST, variables })
  const done = doneWords(visit, visit.view.texts.staffPeople.done)
  return showPage(listPage(visit.view, { masjid, people, filters, skip, done: done.words, deleted: done.deleted }))
}

const showNew = async (_: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const wanted = visit.query.text('household')
  const values = emptyPerson(masjid.timezone, isUuid(wanted) ? wanted : '', new Date())
  return showPage(personPage(visit.view, { masjid, member: undefined, values }))
}

const emailTaken = ({ extensions }: Refused): PersonFaults | undefined =>
  extensions.constraint === 'ua_members_masjid_id_email_key' ? { email: 'emailTaken' } : undefined

/** The household that a new person is added to. @throws {Fault} `not_found` if it is another masjid's. */
const householdOf = async (parts: StaffParts, here: StaffVisit, { household }: PersonForm): Promise<string | null> =>
  isUuid(household) ? (await findHouseholdById(parts, here, household)).id : null

const acceptNew = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const values = readPerson(visit.form)
  return saveForm(parts, here, {
    checked: checkPerson(values),
    show: why => personPage(visit.view, { masjid, member: undefined, values, ...why }),
    mutation: async checked => {
      const household_id = await householdOf(parts, here, values)
      return { query: CREATE, variables: { object: { ...checked, household_id, masjid_id: masjid.id } } }
    },
    saved: id => `${peoplePath(masjid, id)}?done=created`,
    faultsOf: emailTaken,
  })
}

const showEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const member = await findPerson(parts, here)
  const done = doneWords(visit, visit.view.texts.staffPeople.done).words
  const link = await findLinkOfMember(parts.database, member.id, visit.session.user.id)
  return showPage(personPage(visit.view, { masjid, member, values: personFormOf(member), done, link }))
}

const acceptEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const member = await findPerson(parts, here)
  const values = readPerson(visit.form)
  const version = versionOf(values.version)
  return saveForm(parts, here, {
    checked: checkPerson(values, member),
    show: why => personPage(visit.view, { masjid, member, values, ...why }),
    mutation: set => ({ query: CHANGE, variables: { id: member.id, set, version } }),
    saved: () => `${peoplePath(masjid, member.id)}?done=saved`,
    faultsOf: emailTaken,
  })
}

/** By somebody else than who linked; PostgreSQL decides. */
const confirm = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { id: memberId } = await findPerson(parts, here)
  const accountId = visit.form.text('account')
  const done = isUuid(accountId) && (await confirmLink(parts.database, { memberId, accountId, actor: actorOf(visit) }))
  return redirectTo(`${peoplePath(masjid, memberId)}?done=${done ? 'linked' : 'not-linked'}`)
}

/** Somebody who holds a capability is not deleted by those who look after people alone: the page says why. */
const remove = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const member = await findPerson(parts, here)
  const refusal = await refusalOfWriting(parts, here, { query: DELETE, variables: { id: member.id } })
  if (refusal === undefined) return deletedAt(peoplePath(masjid), member.id)
  return showPage(personPage(visit.view, { masjid, member, values: personFormOf(member), refusal }), REFUSED)
}

const deletion: Deletion = {
  base: '/staff/:slug/people',
  capability: 'people',
  find: async (parts, here) => {
    const member = await findPerson(parts, here)
    return { id: member.id, name: nameOf(member) }
  },
  pathOf: peoplePath,
  words: ({ texts: { staffPeople } }) => ({ title: staffPeople.deleteTitle, text: staffPeople.deleteText }),
  deleteQuery: DELETE,
  restoreQuery: RESTORE,
  remove,
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
  routes.postSignedIn(`${base}/:id/link`, lookingAfter(parts, 'capabilities')(confirm))
  addDeletionRoutes(routes, parts, deletion)
  addHouseholdRoutes(routes, parts)
  addConsentRoutes(routes, parts)
  addImportRoutes(routes, parts)
}

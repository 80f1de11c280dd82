// Households: list, create, edit, delete and take back; and moving a person into one.
import { isUuid } from '../../../base/uuid.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { ask } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { addDeletionRoutes, type Deletion } from '../deletion-routes.ts'
import { doneWords, idIn, REFUSED, skipOf, versionOf } from '../form-steps.ts'
import { saveForm } from '../save-form.ts'
import type { StaffParts } from '../staff-parts.ts'
import { CHANGE_HOUSEHOLD, CREATE_HOUSEHOLD, DELETE_HOUSEHOLD, RESTORE_HOUSEHOLD } from './household.ts'
import { householdPage } from './household-page.ts'
import { householdsPage } from './households-page.ts'
import { movePage } from './move-page.ts'
import { householdPath, peoplePath } from './people-path.ts'
import { findHouseholdById, findHouseholds, findPerson, refusalOfWriting } from './people-steps.ts'
import { MOVE } from './person.ts'
import { checkHousehold, emptyHousehold, householdFormOf, readHousehold } from './read-household.ts'

const showHouseholds = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const words = visit.query.text('q')
  const skip = skipOf(visit)
  const households = await findHouseholds(parts, here, { words, skip })
  const done = doneWords(visit, visit.view.texts.staffPeople.householdDone)
  return showPage(
    householdsPage(visit.view, { masjid, households, words, skip, done: done.words, deleted: done.deleted }),
  )
}

const showNew = async (_: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> =>
  showPage(householdPage(visit.view, { masjid, household: undefined, values: emptyHousehold }))

const acceptNew = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const values = readHousehold(visit.form)
  return saveForm(parts, here, {
    checked: checkHousehold(values),
    show: why => householdPage(visit.view, { masjid, household: undefined, values, ...why }),
    mutation: checked => ({ query: CREATE_HOUSEHOLD, variables: { object: { ...checked, masjid_id: masjid.id } } }),
    saved: id => `${householdPath(masjid, id)}?done=created`,
  })
}

const findOne = (parts: StaffParts, here: StaffVisit) => findHouseholdById(parts, here, idIn(here.visit))

const showEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const household = await findOne(parts, here)
  const done = doneWords(visit, visit.view.texts.staffPeople.householdDone).words
  return showPage(householdPage(visit.view, { masjid, household, values: householdFormOf(household), done }))
}

const acceptEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const household = await findOne(parts, here)
  const values = readHousehold(visit.form)
  const version = versionOf(values.version)
  return saveForm(parts, here, {
    checked: checkHousehold(values),
    show: why => householdPage(visit.view, { masjid, household, values, ...why }),
    mutation: set => ({ query: CHANGE_HOUSEHOLD, variables: { id: household.id, set, version } }),
    saved: () => `${householdPath(masjid, household.id)}?done=saved`,
  })
}

const deletion: Deletion = {
  base: '/staff/:slug/people/households',
  capability: 'people',
  find: findOne,
  pathOf: householdPath,
  words: ({ texts: { staffPeople } }) => ({
    title: staffPeople.deleteHouseholdTitle,
    text: staffPeople.deleteHouseholdText,
  }),
  deleteQuery: DELETE_HOUSEHOLD,
  restoreQuery: RESTORE_HOUSEHOLD,
}

const showMove = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const member = await findPerson(parts, here)
  const words = visit.query.text('q')
  const households = await findHouseholds(parts, here, { words })
  return showPage(movePage(visit.view, { masjid, member, words, households, values: emptyHousehold }))
}

type Target = { readonly id: string | null } | { readonly answer: Answer }

const newTarget = async (parts: StaffParts, here: StaffVisit): Promise<Target> => {
  const { visit, masjid } = here
  const values = readHousehold(visit.form)
  const checked = checkHousehold(values)
  const refuse = async (why: object): Promise<Target> => {
    const [member, households] = [await findPerson(parts, here), await findHouseholds(parts, here, { words: '' })]
    return {
      answer: showPage(movePage(visit.view, { masjid, member, words: '', households, values, ...why }), REFUSED),
    }
  }
  if ('faults' in checked) return refuse({ faults: checked.faults })
  const variables = { object: { ...checked.values, masjid_id: masjid.id } }
  const written = await ask<{ written: { id: string } }>(parts.graphql, visit, { query: CREATE_HOUSEHOLD, variables })
  return 'refused' in written ? refuse({ refusal: written.refused.message }) : { id: written.data.written.id }
}

const targetOf = async (parts: StaffParts, here: StaffVisit): Promise<Target> => {
  const to = here.visit.form.text('to')
  if (to === 'none') return { id: null }
  if (to === 'new') return newTarget(parts, here)
  if (!isUuid(to)) throw notFound()
  return { id: (await findHouseholdById(parts, here, to)).id }
}

const move = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const member = await findPerson(parts, here)
  const target = await targetOf(parts, here)
  if ('answer' in target) return target.answer
  const refusal = await refusalOfWriting(parts, here, {
    query: MOVE,
    variables: { id: member.id, household: target.id },
  })
  if (refusal !== undefined) throw notFound()
  return redirectTo(`${peoplePath(here.masjid, member.id)}?done=moved`)
}

export const addHouseholdRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'people')
  const people = '/staff/:slug/people'
  const base = `${people}/households`
  routes.getSignedIn(base, here(showHouseholds))
  routes.getSignedIn(`${base}/new`, here(showNew))
  routes.postSignedIn(`${base}/new`, here(acceptNew))
  routes.getSignedIn(`${base}/:id`, here(showEdit))
  routes.postSignedIn(`${base}/:id`, here(acceptEdit))
  addDeletionRoutes(routes, parts, deletion)
  routes.getSignedIn(`${people}/:id/household`, here(showMove))
  routes.postSignedIn(`${people}/:id/household`, here(move))
}

// What a person agreed to: shown with its evidence, and recorded.
import { findConsentRecords } from '../../../people/consent-records.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { ask } from '../ask.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import { faultWords } from '../fault-words.ts'
import { REFUSED } from '../form-steps.ts'
import type { StaffParts } from '../staff-parts.ts'
import { type ConsentPageParts, consentPage } from './consent-page.ts'
import { peoplePath } from './people-path.ts'
import { findPerson } from './people-steps.ts'
import { checkEvidence, emptyEvidence, readEvidence } from './read-evidence.ts'

const RECORD = `mutation Record($args: ua_record_consent_args!) { written: ua_record_consent(args: $args) { id } }`

type Shown = Pick<ConsentPageParts, 'masjid' | 'member' | 'records'>

const findShown = async (parts: StaffParts, here: StaffVisit): Promise<Shown> => {
  const { masjid } = here
  const member = await findPerson(parts, here)
  return {
    masjid,
    member,
    records: await findConsentRecords(parts.database, { masjidId: masjid.id, memberId: member.id }),
  }
}

const show = async (parts: StaffParts, here: StaffVisit): Promise<Answer> =>
  showPage(consentPage(here.visit.view, { ...(await findShown(parts, here)), answer: '', values: emptyEvidence }))

const record = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { faults: faultTexts } = visit.view.texts.staffPeople
  const shown = await findShown(parts, here)
  const values = readEvidence(visit.form)
  const answer = visit.form.text('answer')
  const faults = {
    ...(['yes', 'no'].includes(answer) ? {} : { answer: 'answerMissing' as const }),
    ...checkEvidence(values, masjid.timezone),
  }
  const words = faultWords(faultTexts, faults)
  const back = (why: object): Answer => showPage(consentPage(visit.view, { ...shown, answer, values, ...why }), REFUSED)
  if (Object.keys(words).length > 0) return back({ words })
  const args = { member_id: shown.member.id, consent_api_sharing: answer === 'yes', ...values }
  const written = await ask(parts.graphql, visit, { query: RECORD, variables: { args } })
  if ('refused' in written) return back({ refusal: written.refused.message })
  return redirectTo(`${peoplePath(masjid, shown.member.id)}?done=recorded`)
}

export const addConsentRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const path = '/staff/:slug/people/:id/consent'
  routes.getSignedIn(
    path,
    atMasjid(parts, here => show(parts, here), 'people'),
  )
  routes.postSignedIn(
    path,
    atMasjid(parts, here => record(parts, here), 'people'),
  )
}

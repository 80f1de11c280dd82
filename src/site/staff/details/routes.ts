// The details of a masjid: shown to its team, changed by those who may.
import { notFound } from '../../../http/not-found.ts'
import { forbidden } from '../../frame/fault-page.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { ask, type Refused, read } from '../ask.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import { doneWords, REFUSED, versionOf } from '../form-steps.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { answerRuleQuestion } from './answer-question.ts'
import { comparedRules } from './compared-rules.ts'
import { type DetailsParts, detailsPage } from './details-page.ts'
import {
  aboutColumns,
  calculationColumns,
  changesOf,
  DETAILS,
  faultyChoices,
  faultyNumbers,
  formOf,
  type MasjidDetails,
  readDetails,
  SAVE,
} from './masjid-details.ts'

const detailsOf = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<MasjidDetails> => {
  const question = { query: DETAILS, variables: { masjid: masjid.id } }
  const found = await read<{ masjid: MasjidDetails | null }>(graphql, visit, question)
  if (found.masjid === null) throw notFound()
  return found.masjid
}

/** Only for those who may choose one. */
const rulesOf = async (parts: StaffParts, here: StaffVisit, stored: MasjidDetails) => ({
  ruleInForce: formOf(stored).high_latitude_rule,
  comparison: here.masjid.capabilities.includes('times') ? await comparedRules(parts, here, stored) : undefined,
})

const showDetails = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { saved, kept, angleUsed, conflict } = visit.view.texts.staffDetails
  const stored = await detailsOf(parts, here)
  const { words: done } = doneWords(visit, { saved, kept, angle: angleUsed })
  const refusal = visit.query.text('done') === 'conflict' ? conflict : undefined
  const shown = { masjid, values: formOf(stored), done, refusal, ...(await rulesOf(parts, here, stored)) }
  return showPage(detailsPage(visit.view, shown))
}

/** Beside the field, where the rule is about one. */
const problemsOf = ({ visit }: StaffVisit, refused: Refused): Pick<DetailsParts, 'faults' | 'refusal'> => {
  const { staffDetails: texts } = visit.view.texts
  if (refused.code === 'conflict') return { refusal: texts.conflict }
  const columns = Array.isArray(refused.extensions.columns) ? refused.extensions.columns.map(String) : []
  if (columns.length === 0) return { refusal: refused.message }
  return { faults: Object.fromEntries(columns.map(name => [name, refused.message])) }
}

const saveDetails = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const columns = [
    ...(masjid.capabilities.includes('announcements') ? aboutColumns : []),
    ...(masjid.capabilities.includes('times') ? calculationColumns : []),
  ]
  if (columns.length === 0) throw forbidden()
  const stored = await detailsOf(parts, here)
  // What the visitor may not change is not in the form.
  const typed = readDetails(visit.form)
  const values = {
    ...formOf(stored),
    ...Object.fromEntries(columns.map(name => [name, typed[name]])),
    version: typed.version,
  }
  const show = async (
    problems: Pick<DetailsParts, 'faults' | 'refusal'>,
    version = values.version,
  ): Promise<Answer> => {
    const shown = { masjid, values: { ...values, version }, ...problems, ...(await rulesOf(parts, here, stored)) }
    return showPage(detailsPage(visit.view, shown), REFUSED)
  }
  const { common, staffDetails } = visit.view.texts
  const faults = {
    ...Object.fromEntries(faultyNumbers(values).map(name => [name, staffDetails.wrong])),
    ...Object.fromEntries(faultyChoices(values, stored).map(name => [name, common.notOffered])),
  }
  if (Object.keys(faults).length > 0) return show({ faults })
  const set = changesOf(values, stored, columns)
  const saved = redirectTo(`${staffPath(masjid, 'details')}?done=saved`)
  if (Object.keys(set).length === 0) return saved
  const variables = { masjid: masjid.id, set, version: versionOf(values.version) }
  const written = await ask(parts.graphql, visit, { query: SAVE, variables })
  if (!('refused' in written)) return saved
  return show(problemsOf(here, written.refused), String(stored.version))
}

export const addDetailsRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  routes.getSignedIn(
    '/staff/:slug/details',
    atMasjid(parts, here => showDetails(parts, here)),
  )
  routes.postSignedIn(
    '/staff/:slug/details',
    atMasjid(parts, here => saveDetails(parts, here)),
  )
  routes.postSignedIn(
    '/staff/:slug/details/rule',
    atMasjid(parts, here => answerRuleQuestion(parts, here), 'times'),
  )
}

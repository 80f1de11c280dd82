// Changing one prayer: the form, the preview, publishing now or at a set time.

import { localDateAt } from '../../../base/local-time.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import type { Prayer } from '../../hall/prayer-time.ts'
import { ask, type Refused, read } from '../ask.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { type ChangeParts, changePage } from './change-page.ts'
import { type Change, type ChangeValues, changeOf, checkChange, isDate, isPrayer, readChange } from './change-values.ts'
import { fridayFrom } from './days.ts'
import { type PreviewParts, previewPage } from './preview-page.ts'
import { checkPublishing, publishAt } from './publishing.ts'
import type { SeasonalRule } from './rule-words.ts'
import { timetablesOfChange } from './timetables-of-change.ts'
import { meetsTimetable, PUBLISH, ruleFields, tryChange } from './try-change.ts'

const REFUSED = { status: 422 }

const IN_FORCE = `query InForce($masjid: uuid!, $prayer: pc_prayer!, $session: Int!, $date: date!) {
  times: pc_prayer_times(where: {masjid_id: {_eq: $masjid}, prayer: {_eq: $prayer}, session: {_eq: $session}, date: {_eq: $date}}) { schedule_id iqamah_local }
  rules: pc_iqamah_schedules(where: {masjid_id: {_eq: $masjid}, prayer: {_eq: $prayer}, session: {_eq: $session}},
    order_by: [{priority: asc}, {id: asc}]) { ${ruleFields} not_before not_after }
}`

type StoredRule = SeasonalRule & { readonly not_before: string | null; readonly not_after: string | null }

interface TimeInForce {
  readonly schedule_id: string | null
  readonly iqamah_local: string | null
}

interface InForce {
  readonly times: readonly TimeInForce[]
  readonly rules: readonly StoredRule[]
}

const clock = (time: string | null | undefined): string => time?.slice(0, 5) ?? ''
const text = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value)

const valuesOf = (
  rule: StoredRule | undefined,
): Omit<ChangeValues, 'prayer' | 'session' | 'first_on' | 'lasts' | 'last_on' | 'replaces_all'> => ({
  how: rule?.is_cancelled === true ? 'none' : (rule?.rule ?? 'fixed'),
  fixed_time: clock(rule?.fixed_time),
  offset_minutes: text(rule?.offset_minutes),
  round_to: text(rule?.round_to),
  not_before: clock(rule?.not_before),
  not_after: clock(rule?.not_after),
  khutbah_minutes: text(rule?.khutbah_minutes),
  imam: text(rule?.imam),
  language: text(rule?.language),
  label: text(rule?.label),
})

const firstDay = (prayer: Prayer, asked: string, today: string): string => {
  const day = isDate(asked) && asked >= today ? asked : today
  return prayer === 'jumuah' ? fridayFrom(day) : day
}

/** A published timetable gives a time and no rule. */
const timetableTime = (time: TimeInForce | undefined): Partial<ChangeValues> =>
  time === undefined || time.schedule_id !== null || time.iqamah_local === null
    ? {}
    : { how: 'fixed', fixed_time: clock(time.iqamah_local.slice(11)) }

/** The form starts with what holds then, so that only what changes has to be typed. */
const showForm = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const { query, view } = visit
  const prayer = query.text('prayer')
  if (!isPrayer(prayer)) throw notFound()
  const session = Math.min(9, Math.max(1, Number(query.text('session')) || 1))
  const first_on = firstDay(prayer, query.text('from'), localDateAt(new Date(), masjid.timezone))
  const { times, rules } = await read<InForce>(graphql, visit, {
    query: IN_FORCE,
    variables: { masjid: masjid.id, prayer, session, date: first_on },
  })
  const rule = rules.find(({ id }) => id === times[0]?.schedule_id) ?? rules[0]
  const lasts = query.text('lasts') === 'day' ? 'day' : 'on'
  const values = {
    prayer,
    session: String(session),
    first_on,
    lasts,
    last_on: '',
    replaces_all: '',
    ...valuesOf(rule),
    ...timetableTime(times[0]),
  }
  return showPage(changePage(view, { masjid, prayer, values, faults: {}, isNew: rules.length === 0 }))
}

interface Typed {
  readonly values: ChangeValues
  readonly prayer: Prayer
}

const typed = ({ visit }: StaffVisit): Typed => {
  const values = readChange(visit.form)
  const { prayer } = values
  if (!isPrayer(prayer)) throw notFound()
  return { values, prayer }
}

/** The form again, with what was typed. */
const formAgain = (
  { visit, masjid }: StaffVisit,
  { values, prayer }: Typed,
  { faults = {}, refusal }: Partial<Pick<ChangeParts, 'faults' | 'refusal'>> = {},
): Answer => {
  const wrong = Object.keys(faults).length > 0 || refusal !== undefined
  const page = changePage(visit.view, { masjid, prayer, values, faults, refusal, isNew: false })
  return showPage(page, wrong ? REFUSED : {})
}

interface Previewed extends Typed {
  readonly change: Change
}

const checked = (here: StaffVisit): Previewed | Answer => {
  const given = typed(here)
  const { view } = here.visit
  const faults = checkChange(given.values, localDateAt(new Date(), here.masjid.timezone), view.texts.week.faults)
  if (Object.keys(faults).length > 0) return formAgain(here, given, { faults })
  return { ...given, change: changeOf(given.values, given.prayer) }
}

type Again = Partial<Pick<PreviewParts, 'publish' | 'faults' | 'refusal'>>

const NOTHING_TYPED = { when: 'now', publish_time: '', replace_timetables: '', expected_timetables: '' }

const preview = async (
  { graphql, database }: StaffParts,
  here: StaffVisit,
  { values, prayer, change, again = {} }: Previewed & { readonly again?: Again },
): Promise<Answer> => {
  const { visit, masjid } = here
  const tried = await tryChange(graphql, visit, { masjid: masjid.id, change })
  if ('refused' in tried) return formAgain(here, { values, prayer }, { refusal: tried.refused })
  const timetables = await timetablesOfChange(database, masjid, { change, tried })
  const publish = again.publish ?? { ...NOTHING_TYPED, publish_date: change.first_on }
  const faults = again.faults ?? {}
  const page = previewPage(visit.view, {
    masjid,
    values,
    change,
    tried,
    timetables,
    publish,
    faults,
    refusal: again.refusal,
  })
  return showPage(page, again.refusal !== undefined || Object.keys(faults).length > 0 ? REFUSED : {})
}

const showPreview = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const given = checked(here)
  return 'kind' in given ? given : preview(parts, here, given)
}

const readExpected = (given: string): unknown => {
  try {
    return JSON.parse(given)
  } catch {
    return {}
  }
}

/** What somebody else did between preview and publishing, in words; or what the database says. */
const refusalOf = ({ visit }: StaffVisit, refused: Refused): string => {
  const { changedMeanwhile, timetableMeanwhile } = visit.view.texts.week
  if (refused.rule === 'pc_iqamah_changes_expected_timetables' || meetsTimetable(refused)) return timetableMeanwhile
  return refused.rule === 'pc_iqamah_changes_expected_rules' ? changedMeanwhile : refused.message
}

const publish = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const given = checked(here)
  if ('kind' in given) return given
  const { visit, masjid } = here
  const publishing = checkPublishing(visit, { masjid, firstOn: given.change.first_on })
  if (Object.keys(publishing.faults).length > 0)
    return preview(parts, here, { ...given, again: { publish: publishing.values, faults: publishing.faults } })
  const { expected_timetables: seen } = publishing.values
  const published = await ask<{ change: { id: string; status: string } }>(parts.graphql, visit, {
    query: PUBLISH,
    variables: {
      masjid: masjid.id,
      publish_at: publishAt(masjid, publishing.values),
      expected: readExpected(visit.form.exact('expected')),
      timetables: seen === '' ? null : readExpected(seen),
      replace_timetables: seen !== '',
      ...given.change,
    },
  })
  if ('data' in published) {
    const done = published.data.change.status === 'planned' ? 'planned' : 'published'
    return redirectTo(`${staffPath(masjid, 'week')}?done=${done}&change=${published.data.change.id}`)
  }
  const again = {
    // What is asked now was not what was agreed to.
    publish: { ...publishing.values, replace_timetables: '' },
    refusal: refusalOf(here, published.refused),
  }
  return preview(parts, here, { ...given, again })
}

export const addChangeRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = (path: string): string => `/staff/:slug/week/${path}`
  routes.getSignedIn(
    here('change'),
    atMasjid(parts, at => showForm(parts, at), 'times'),
  )
  routes.postSignedIn(
    here('edit'),
    atMasjid(parts, at => formAgain(at, typed(at)), 'times'),
  )
  routes.postSignedIn(
    here('preview'),
    atMasjid(parts, at => showPreview(parts, at), 'times'),
  )
  routes.postSignedIn(
    here('publish'),
    atMasjid(parts, at => publish(parts, at), 'times'),
  )
}

// Rules that fit a published timetable: offered, and adopted for the prayers that were chosen.

import { dateOf, dayNumberOf } from '../../../base/civil-date.ts'
import type { Offer } from '../../../timetables/fit/fit-rules.ts'
import { readCalculated } from '../../../timetables/store/known-days.ts'
import { type PublishedTimetable, readStandingDays } from '../../../timetables/store/published.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import { ask } from '../ask.ts'
import type { StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { offerName, rulesPage } from './rules-page.ts'
import { timetableOf } from './take-back.ts'
import { timesPath } from './times-page.ts'

const offersFor = async (
  { database, sheets }: StaffParts,
  { masjid }: StaffVisit,
  timetable: PublishedTimetable,
): Promise<readonly Offer[]> => {
  // A week more: rules that change on a weekday look back.
  const first = dateOf(dayNumberOf(timetable.firstDate) - 7)
  const stretch = { masjidId: masjid.id, timezone: masjid.timezone, first, last: timetable.lastDate }
  const [entries, calculated] = await Promise.all([
    readStandingDays(database, timetable.id),
    readCalculated(database, stretch),
  ])
  return sheets.of(masjid.id).rules({ entries, calculated, timezone: masjid.timezone })
}

export const showRules = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const timetable = await timetableOf(parts, here)
  return showPage(
    rulesPage(here.visit.view, { masjid: here.masjid, timetable, offers: await offersFor(parts, here, timetable) }),
  )
}

const ADOPT = `mutation AdoptRules($id: uuid!, $rules: jsonb!) {
  pc_adopt_timetable_rules(args: {timetable_id: $id, rules: $rules}) { id }
}`

export const acceptRules = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { view, form } = here.visit
  const timetable = await timetableOf(parts, here)
  const offers = await offersFor(parts, here, timetable)
  const chosen = form.list('rules')
  const rules = offers.filter(offer => chosen.includes(offerName(offer))).flatMap(offer => offer.rules)
  const refuse = (fault: string): Answer =>
    showPage(rulesPage(view, { masjid: here.masjid, timetable, offers, fault }), { status: 422 })
  if (rules.length === 0) return refuse(view.texts.staffTimes.noRules)
  const answered = await ask(parts.graphql, here.visit, { query: ADOPT, variables: { id: timetable.id, rules } })
  return 'refused' in answered ? refuse(answered.refused.message) : redirectTo(`${timesPath(here.masjid)}?done=rules`)
}

// The answer to whether a masjid's rule for high latitudes stays → written, for those who look after times.
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo } from '../../frame/page-reply.ts'
import { ask } from '../ask.ts'
import type { StaffVisit } from '../at-masjid.ts'
import { versionOf } from '../form-steps.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { SAVE } from './masjid-details.ts'

const answers: Readonly<Record<string, { readonly done: string; readonly set: object }>> = {
  keep: { done: 'kept', set: { high_latitude_rule_to_confirm: false } },
  angle: { done: 'angle', set: { high_latitude_rule: null } },
}

export const answerRuleQuestion = async ({ graphql }: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const given = visit.form.text('answer')
  const answer = Object.hasOwn(answers, given) ? answers[given] : undefined
  if (answer === undefined) throw notFound()
  const variables = { masjid: masjid.id, set: answer.set, version: versionOf(visit.form.text('version')) }
  const written = await ask<{ written: unknown }>(graphql, visit, { query: SAVE, variables })
  const done = 'refused' in written || written.data.written === null ? 'conflict' : answer.done
  return redirectTo(`${staffPath(masjid, 'details')}?done=${done}`)
}

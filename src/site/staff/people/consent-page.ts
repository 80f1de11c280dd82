// A person and how they agreed → the page that shows it, and records a new answer with its evidence.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { ConsentRecord } from '../../../people/consent-records.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { radioGroup } from '../../pieces/choices.ts'
import { fillTitle } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, faultList, notice } from '../../pieces/notices.ts'
import { localDayOf, localMomentOf } from '../local-words.ts'
import { staffFrame } from '../staff-frame.ts'
import { evidenceFields } from './evidence-fields.ts'
import { peoplePath } from './people-path.ts'
import { type Member, nameOf } from './person.ts'
import type { EvidenceForm } from './read-evidence.ts'

export interface ConsentPageParts {
  readonly masjid: StaffedMasjid
  readonly member: Member
  readonly records: readonly ConsentRecord[]
  /** `yes`, `no`, or empty. */
  readonly answer: string
  readonly values: EvidenceForm
  /** What is wrong, in words, by the id of the field. */
  readonly words?: Readonly<Record<string, string>>
  readonly refusal?: string
}

const recordEntry = (view: View, { masjid }: ConsentPageParts, record: ConsentRecord): Html => {
  const { consent } = view.texts.staffPeople
  const said = record.apiSharing === null ? 'listed' : record.apiSharing ? 'yes' : 'no'
  return html`<li class="person"><p>${badge(consent.answers[said], said === 'no' ? 'warn' : 'good')} ${localDayOf(view, record.givenOn)} · ${consent.ways[record.givenHow]}</p>
<p class="as-typed" dir="auto">${record.evidence}</p><p class="soft">${consent.recorded} ${localMomentOf(view, masjid, record.recordedAt.toISOString())}</p></li>`
}

const history = (view: View, parts: ConsentPageParts): Html => {
  const { consent } = view.texts.staffPeople
  return parts.records.length === 0
    ? html`<p>${consent.noRecords}</p>`
    : html`<ul class="plain-list card">${parts.records.map(record => recordEntry(view, parts, record))}</ul>`
}

/** Somebody with an account agrees themselves; taking it back for them stays possible. */
const answersOf = ({ texts }: View, { member }: ConsentPageParts) => {
  const { answers } = texts.staffPeople.consent
  const no = { value: 'no', label: answers.no }
  return member.user_id === null ? [{ value: 'yes', label: answers.yes }, no] : [no]
}

export const consentPage = (view: View, parts: ConsentPageParts): Html => {
  const { staffPeople: texts, common } = view.texts
  const { masjid, member, answer, values, words = {}, refusal } = parts
  const { consent } = texts
  return staffFrame(view, {
    masjid,
    section: 'people',
    title: fillTitle(consent.title, { name: nameOf(member) }),
    faulty: Object.keys(words).length > 0 || refusal !== undefined,
    main: html`${faultList(view, words)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
<p class="lead">${consent.lead}</p><p>${member.consent_api_sharing ? texts.sharesNow : texts.sharesNot}</p>${member.user_id === null ? nothing : notice({ tone: 'info', text: consent.ownAccount })}
<div class="card form-card">${form(view, {
      action: peoplePath(masjid, member.id, 'consent'),
      fields: html`${radioGroup({ name: 'answer', label: consent.question, chosen: [answer], choices: answersOf(view, parts), fault: words.answer })}${evidenceFields(view, values, words)}${actions(
        submitButton({ text: consent.record, look: 'primary' }),
        linkButton({ text: common.cancel, href: peoplePath(masjid, member.id) }),
      )}`,
    })}</div><section><h2>${consent.history}</h2>${history(view, parts)}</section>`,
  })
}

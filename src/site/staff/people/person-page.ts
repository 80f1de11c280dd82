// A person as typed, and what is wrong → the form; beside it their household and what they agreed to.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { LinkOfMember } from '../../../people/member-links.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { facts } from '../../pieces/data.ts'
import { fill } from '../../pieces/fill.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import { localMomentOf } from '../local-words.ts'
import { staffFrame } from '../staff-frame.ts'
import { statusBadge } from './list-page.ts'
import { householdPath, peoplePath } from './people-path.ts'
import { type Member, nameOf, statuses } from './person.ts'
import type { PersonFaults, PersonForm } from './read-person.ts'

export interface PersonPageParts {
  readonly masjid: StaffedMasjid
  /** Undefined for a new one. */
  readonly member: Member | undefined
  readonly values: PersonForm
  readonly faults?: PersonFaults
  /** What the database refused, in its words. */
  readonly refusal?: string
  /** Somebody else changed the person since the form was made. */
  readonly conflict?: boolean
  readonly done?: string | undefined
  readonly link?: LinkOfMember | undefined
}

type Words = Readonly<Record<string, string>>

const fields = (view: View, { values }: PersonPageParts, words: Words): Html => {
  const { staffPeople: texts, common } = view.texts
  const { optional } = common
  const name = { dir: 'auto', maxlength: 100, autocomplete: 'off' }
  const plain = { dir: 'ltr', autocomplete: 'off' }
  return html`<div class="pair">${textField({ name: 'given_name', label: texts.givenName, value: values.given_name, fault: words.given_name, attributes: name })}
${textField({ name: 'family_name', label: texts.familyName, value: values.family_name, fault: words.family_name, optional, attributes: name })}</div>
<div class="pair">${textField({ name: 'email', label: texts.email, value: values.email, fault: words.email, type: 'email', optional, attributes: plain })}
${textField({ name: 'phone', label: texts.phone, value: values.phone, fault: words.phone, type: 'tel', optional, attributes: plain })}</div>
<div class="pair">${textField({ name: 'joined_on', label: texts.joinedOn, value: values.joined_on, fault: words.joined_on, type: 'date' })}
${selectField({ name: 'status', label: texts.status, fault: words.status, chosen: [values.status], choices: statuses.map(value => ({ value, label: texts.statuses[value] })) })}</div>`
}

const conflictNotice = (view: View, { masjid, member, conflict }: PersonPageParts): Html => {
  if (conflict !== true || member === undefined) return nothing
  const { staffPeople: texts } = view.texts
  return html`<div class="notice warn" role="alert"><h2>${texts.conflictTitle}</h2><p>${texts.conflictText}</p></div>
<div class="card"><h2><bdi>${nameOf(member)}</bdi> ${statusBadge(view, member.status)}</h2><p><bdi dir="ltr">${member.email}</bdi> <bdi dir="ltr">${member.phone}</bdi></p>${actions(
    linkButton({ text: texts.conflictDiscard, href: peoplePath(masjid, member.id), size: 'small' }),
  )}</div>`
}

const householdWords = (masjid: StaffedMasjid, { household }: Member, none: string): Html =>
  household === null
    ? html`${none}`
    : html`<a href="${householdPath(masjid, household.id)}"><bdi>${household.name}</bdi></a>`

const accountWords = ({ texts: { staffPeople: texts } }: View, { member, link }: PersonPageParts): Html => {
  if (link === undefined) return html`${member?.user_id ? texts.hasAccount : texts.noAccount}`
  return link.accepted ? html`${fill(texts.link.accepted, { email: link.email ?? '' })}` : html`${texts.link.waits}`
}

const confirmation = (view: View, { masjid, member, link }: PersonPageParts): Html => {
  const { link: texts } = view.texts.staffPeople
  if (link?.mayConfirm !== true || !masjid.capabilities.includes('capabilities')) return nothing
  return html`<p>${texts.confirmText}</p>${form(view, {
    action: peoplePath(masjid, member?.id ?? '', 'link'),
    hidden: { account: link.userId },
    fields: submitButton({ text: texts.confirm }),
  })}`
}

const aside = (view: View, parts: PersonPageParts): Html => {
  const { masjid, member } = parts
  if (member === undefined) return nothing
  const { staffPeople: texts } = view.texts
  const sharing =
    member.consent_api_sharing && member.consent_at !== null
      ? html`${texts.shares} ${localMomentOf(view, masjid, member.consent_at)}`
      : html`${texts.sharesNot}`
  return html`<section class="card">${facts([
    [texts.household, householdWords(masjid, member, texts.noHousehold)],
    [texts.role, texts.roles[member.role]],
    [texts.account, accountWords(view, parts)],
    [texts.sharing, sharing],
  ])}${actions(
    linkButton({ text: texts.changeHousehold, href: peoplePath(masjid, member.id, 'household'), size: 'small' }),
    linkButton({ text: texts.consent.open, href: peoplePath(masjid, member.id, 'consent'), size: 'small' }),
  )}${confirmation(view, parts)}</section>`
}

export const personPage = (view: View, parts: PersonPageParts): Html => {
  const { staffPeople: texts, common } = view.texts
  const { masjid, member, values, faults = {}, refusal, conflict = false } = parts
  const words = faultWords({ ...texts.faults, notOffered: common.notOffered }, faults)
  const button = conflict ? texts.conflictSave : member === undefined ? texts.add : common.save
  const remove =
    member === undefined
      ? nothing
      : linkButton({ text: common.delete, href: peoplePath(masjid, member.id, 'delete'), look: 'danger' })
  return staffFrame(view, {
    masjid,
    section: 'people',
    title: member === undefined ? texts.create : nameOf(member),
    faulty: Object.keys(words).length > 0 || refusal !== undefined || conflict,
    done: parts.done,
    main: html`${faultList(view, words)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${conflictNotice(view, parts)}
<div class="card form-card">${form(view, {
      action: peoplePath(masjid, member?.id ?? 'new'),
      hidden: {
        version: conflict ? String(member?.version) : values.version,
        household: values.household || undefined,
      },
      fields: html`${fields(view, parts, words)}${actions(
        submitButton({ text: button, look: 'primary' }),
        linkButton({ text: common.cancel, href: peoplePath(masjid) }),
        remove,
      )}`,
    })}</div>${aside(view, parts)}`,
  })
}

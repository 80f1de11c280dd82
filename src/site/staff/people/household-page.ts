// A household as typed, and what is wrong → the form; below it, who lives there.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import { staffFrame } from '../staff-frame.ts'
import type { Household } from './household.ts'
import { addressOf } from './households-page.ts'
import { statusBadge } from './list-page.ts'
import { householdPath, peoplePath } from './people-path.ts'
import { nameOf } from './person.ts'
import type { HouseholdFaults, HouseholdField, HouseholdForm } from './read-household.ts'

export interface HouseholdPageParts {
  readonly masjid: StaffedMasjid
  /** Undefined for a new one. */
  readonly household: Household | undefined
  readonly values: HouseholdForm
  readonly faults?: HouseholdFaults
  readonly refusal?: string
  readonly conflict?: boolean
  readonly done?: string | undefined
}

export const householdFields = (view: View, values: HouseholdForm, faults?: HouseholdFaults): Html => {
  const { staffPeople: texts, common } = view.texts
  const words = faultWords(texts.faults, faults)
  const field = (name: HouseholdField, label: string, hint?: string): Html =>
    textField({
      name,
      label,
      hint,
      value: values[name],
      fault: words[name],
      ...(name === 'name' ? {} : { optional: common.optional }),
      attributes: { dir: 'auto', autocomplete: 'off' },
    })
  return html`${field('name', texts.householdName, texts.householdNameHint)}${field('address', texts.address)}
<div class="pair">${field('postal_code', texts.postalCode)}${field('city', texts.city)}</div>${field('state', texts.state)}`
}

const membersPart = (view: View, { masjid, household }: HouseholdPageParts): Html => {
  if (household === undefined) return nothing
  const { staffPeople: texts } = view.texts
  const list = household.members.map(
    member =>
      html`<li class="person"><a href="${peoplePath(masjid, member.id)}"><bdi>${nameOf(member)}</bdi></a> ${member.status !== 'active' && statusBadge(view, member.status)}</li>`,
  )
  return html`<section><h2>${texts.livesHere}</h2>${list.length === 0 ? html`<p>${texts.nobodyHere}</p>` : html`<ul class="plain-list card">${list}</ul>`}${actions(
    linkButton({ text: texts.addHere, href: `${peoplePath(masjid, 'new')}?household=${household.id}`, size: 'small' }),
  )}</section>`
}

const conflictNotice = (view: View, { masjid, household, conflict }: HouseholdPageParts): Html => {
  if (conflict !== true || household === undefined) return nothing
  const { staffPeople: texts } = view.texts
  return html`<div class="notice warn" role="alert"><h2>${texts.conflictTitle}</h2><p>${texts.conflictText}</p></div>
<div class="card"><h2><bdi>${household.name}</bdi></h2><p><bdi>${addressOf(household)}</bdi></p>${actions(
    linkButton({ text: texts.conflictDiscard, href: householdPath(masjid, household.id), size: 'small' }),
  )}</div>`
}

export const householdPage = (view: View, parts: HouseholdPageParts): Html => {
  const { staffPeople: texts, common } = view.texts
  const { masjid, household, values, faults, refusal, conflict = false } = parts
  const words = faultWords(texts.faults, faults)
  const button = conflict ? texts.conflictSave : household === undefined ? texts.add : common.save
  const remove =
    household === undefined
      ? nothing
      : linkButton({ text: common.delete, href: householdPath(masjid, household.id, 'delete'), look: 'danger' })
  return staffFrame(view, {
    masjid,
    section: 'people',
    title: household?.name ?? texts.createHousehold,
    faulty: Object.keys(words).length > 0 || refusal !== undefined || conflict,
    done: parts.done,
    main: html`${faultList(view, words)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${conflictNotice(view, parts)}
<div class="card form-card">${form(view, {
      action: householdPath(masjid, household?.id ?? 'new'),
      hidden: { version: conflict ? String(household?.version) : values.version },
      fields: html`${householdFields(view, values, faults)}${actions(
        submitButton({ text: button, look: 'primary' }),
        linkButton({ text: common.cancel, href: householdPath(masjid) }),
        remove,
      )}`,
    })}</div>${membersPart(view, parts)}`,
  })
}

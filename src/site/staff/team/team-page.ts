// Who holds what at a masjid, and open invitations → the page of its team.

import { capabilityNames } from '../../../base/capability-names.ts'
import type { HeldCapability } from '../../../capabilities/capabilities.ts'
import type { Invitation } from '../../../capabilities/invitations.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { checkboxGroup } from '../../pieces/choices.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, faultList } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import { localMomentOf } from '../local-words.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'

type TeamFault = 'emailWrong' | 'none' | 'tooMany'

export interface TeamParts {
  readonly masjid: StaffedMasjid
  readonly held: readonly HeldCapability[]
  readonly invitations: readonly Invitation[]
  readonly typed: { readonly email: string; readonly capabilities: readonly string[] }
  readonly faults?: Readonly<Record<string, TeamFault>>
  readonly done?: string | undefined
  readonly now: Date
}

export const capabilityFields = (
  view: View,
  {
    chosen,
    fault,
    fromRole = [],
  }: { chosen: readonly string[]; fault?: string | undefined; fromRole?: readonly string[] },
): Html => {
  const { staff, staffTeam: texts } = view.texts
  return checkboxGroup({
    name: 'capabilities',
    label: texts.capabilities,
    fault,
    chosen,
    choices: capabilityNames.map(name => ({
      value: name,
      label: staff.capabilities[name],
      hint: fromRole.includes(name) ? texts.roleHint : texts.capabilityHints[name],
    })),
  })
}

const personEntry = (view: View, masjid: StaffedMasjid, held: readonly HeldCapability[]): Html => {
  const { staff, staffTeam: texts } = view.texts
  const [{ name = '', email = '', userId = '' } = {}] = held
  const names = capabilityNames.filter(capability => held.some(one => one.capability === capability))
  const byRole = held.some(({ through }) => through === 'role')
  return html`<li class="card"><h3><bdi>${name}</bdi></h3><p class="soft"><bdi>${email}</bdi>${byRole && html` · ${texts.byRole}`}</p>
<p>${names.map(capability => html`${badge(staff.capabilities[capability])} `)}</p>${actions(
    linkButton({
      text: texts.change,
      href: staffPath(masjid, `team/people/${userId}`),
      size: 'small',
      label: fillText(texts.changeOf, { name }),
    }),
  )}</li>`
}

const peoplePart = (view: View, { masjid, held }: TeamParts): Html => {
  const people = Map.groupBy(held, ({ userId }) => userId)
  return html`<section><h2>${view.texts.staffTeam.people}</h2><ul class="plain-list card-grid">${[
    ...people.values(),
  ].map(one => personEntry(view, masjid, one))}</ul></section>`
}

const invitationEntry = (view: View, { masjid, now }: TeamParts, invitation: Invitation): Html => {
  const { staff, staffTeam: texts } = view.texts
  const { id, email } = invitation
  const button = (action: string, text: string, label: string): Html =>
    form(view, {
      action: staffPath(masjid, `team/invitations/${id}/${action}`),
      fields: submitButton({ text, size: 'small', label: fillText(label, { email }) }),
    })
  const moment = localMomentOf(view, masjid, invitation.expiresAt.toISOString())
  return html`<li class="card"><h3><bdi>${email}</bdi> ${invitation.expiresAt <= now && badge(texts.expired, 'warn')}</h3>
<p>${invitation.capabilities.map(name => html`${badge(staff.capabilities[name])} `)}</p><p class="soft">${fill(texts.invitedBy, { name: invitation.invitedBy, moment })}</p>
<div class="actions">${button('again', texts.again, texts.againOf)}${button('withdraw', texts.withdraw, texts.withdrawOf)}</div></li>`
}

const invitationsPart = (view: View, parts: TeamParts): Html =>
  parts.invitations.length === 0
    ? nothing
    : html`<section><h2>${view.texts.staffTeam.open}</h2><ul class="plain-list card-grid">${parts.invitations.map(one => invitationEntry(view, parts, one))}</ul></section>`

const inviteForm = (view: View, { masjid, typed }: TeamParts, words: Readonly<Record<string, string>>): Html => {
  const { staffTeam: texts } = view.texts
  return html`<section class="card form-card"><h2>${texts.invite}</h2>${form(view, {
    action: staffPath(masjid, 'team/invite'),
    fields: html`${textField({ name: 'email', label: texts.email, hint: texts.emailHint, value: typed.email, fault: words.email, type: 'email', attributes: { dir: 'ltr', autocomplete: 'off' } })}
${capabilityFields(view, { chosen: typed.capabilities, fault: words.capabilities })}${actions(submitButton({ text: texts.send, look: 'primary' }))}`,
  })}</section>`
}

export const teamPage = (view: View, parts: TeamParts): Html => {
  const { staffTeam: texts } = view.texts
  const words = faultWords(texts.faults, parts.faults)
  return staffFrame(view, {
    masjid: parts.masjid,
    section: 'team',
    done: parts.done,
    faulty: Object.keys(words).length > 0,
    main: html`<p class="lead">${texts.lead}</p>${faultList(view, words)}${peoplePart(view, parts)}${invitationsPart(view, parts)}${inviteForm(view, parts, words)}`,
  })
}

// The team of an app → its page: members with their roles, open invitations, and a form to invite.
import type { App } from '../../../apps/app.ts'
import type { TeamInvitation } from '../../../apps/team/invitations.ts'
import type { Member } from '../../../apps/team/members.ts'
import { mayDo, teamRoles } from '../../../apps/team/roles.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { radioGroup, selectField } from '../../pieces/choices.ts'
import { dayOf } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, faultList, notice } from '../../pieces/notices.ts'
import { appFrame, appPath } from '../app-frame.ts'

export interface TeamParts {
  readonly app: App
  readonly members: readonly Member[]
  readonly invitations: readonly TeamInvitation[]
  readonly typed: { readonly email: string; readonly role: string }
  readonly fault?: 'emailWrong' | undefined
  /** Why the database, or somebody else's action, did not allow it. */
  readonly refusal?: string | undefined
  readonly done?: string | undefined
}

export const teamPath = (appId: string, rest = ''): string => appPath(appId, `team${rest}`)

const roleForm = (view: View, app: App, { userId, name, role }: Member): Html => {
  const { team } = view.texts
  return form(view, {
    action: teamPath(app.id, `/${userId}/role`),
    fields: html`${selectField({
      name: 'role',
      id: `role-${userId}`,
      label: team.role,
      chosen: [role],
      choices: teamRoles.map(value => ({ value, label: team.roles[value] })),
    })}${actions(
      submitButton({ text: team.changeRole, size: 'small', label: fillText(team.changeRoleOf, { name }) }),
      linkButton({
        href: teamPath(app.id, `/${userId}/remove`),
        text: team.remove,
        size: 'small',
        look: 'danger',
        label: fillText(team.removeNamed, { name }),
      }),
    )}`,
  })
}

const memberEntry = (view: View, app: App, member: Member): Html => {
  const { team } = view.texts
  const isYou = member.userId === view.user?.id
  return html`<li class="card"><h3><bdi>${member.name}</bdi> ${badge(team.roles[member.role])} ${isYou && badge(team.you, 'good')}</h3>
<p class="soft"><bdi>${member.email}</bdi> · ${team.since} ${dayOf(view, member.addedAt)}${member.standsForIt && html` · ${team.standsForIt}`}</p>
${!isYou && mayDo(app.role, 'own') && roleForm(view, app, member)}
${isYou && actions(linkButton({ href: teamPath(app.id, '/leave'), text: team.leave, size: 'small' }))}</li>`
}

const invitationEntry = (view: View, app: App, { id, email, role, expiresAt }: TeamInvitation): Html => {
  const { team } = view.texts
  return html`<li class="card"><h3><bdi>${email}</bdi> ${badge(team.roles[role])}</h3><p class="soft">${team.until} ${dayOf(view, expiresAt)}</p>
${
  mayDo(app.role, 'own') &&
  form(view, {
    action: teamPath(app.id, `/invitations/${id}/withdraw`),
    fields: submitButton({ text: team.withdraw, size: 'small', label: fillText(team.withdrawNamed, { email }) }),
  })
}</li>`
}

const inviteForm = (view: View, { app, typed, fault }: TeamParts): Html => {
  const { team } = view.texts
  return html`<section class="card"><h2>${team.invite}</h2><p class="soft">${team.inviteText}</p>${form(view, {
    action: teamPath(app.id, '/invite'),
    fields: html`${textField({ name: 'email', label: team.email, value: typed.email, fault: fault && team[fault], type: 'email', attributes: { dir: 'ltr', autocomplete: 'off' } })}
${radioGroup({ name: 'role', label: team.role, chosen: [typed.role], choices: teamRoles.map(value => ({ value, label: team.roles[value], hint: team.roleHints[value] })) })}
${actions(submitButton({ text: team.send, look: 'primary' }))}`,
  })}</section>`
}

const list = (title: string, entries: readonly Html[]): Html =>
  entries.length === 0
    ? nothing
    : html`<section><h2 class="spaced">${title}</h2><ul class="plain-list">${entries}</ul></section>`

export const teamPage = (view: View, parts: TeamParts): Html => {
  const { team } = view.texts
  const { app, members, invitations, fault, refusal, done } = parts
  return appFrame(view, {
    app,
    section: 'team',
    done,
    main: html`<p class="lead">${team.lead}</p>${faultList(view, { email: fault && team[fault] })}
${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
${list(
  team.members,
  members.map(member => memberEntry(view, app, member)),
)}${list(
  team.invitations,
  invitations.map(one => invitationEntry(view, app, one)),
)}${mayDo(app.role, 'own') && inviteForm(view, parts)}`,
  })
}

// One person of a masjid's team → the form of what they look after.
import type { HeldCapability } from '../../../capabilities/capabilities.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { capabilityFields } from './team-page.ts'

export interface PersonParts {
  readonly masjid: StaffedMasjid
  readonly held: readonly HeldCapability[]
  readonly chosen: readonly string[]
  readonly fault?: 'lastHolder' | 'fromRole' | 'notMember' | undefined
  readonly refusal?: string | undefined
}

export const personPage = (view: View, { masjid, held, chosen, fault, refusal }: PersonParts): Html => {
  const { staffTeam: texts, common } = view.texts
  const [{ name = '', userId = '' } = {}] = held
  const words = fault === undefined ? undefined : texts.faults[fault]
  const fromRole = held.filter(({ through }) => through === 'role').map(({ capability }) => capability)
  return staffFrame(view, {
    masjid,
    section: 'team',
    title: fillText(texts.personTitle, { name }),
    faulty: fault !== undefined || refusal !== undefined,
    main: html`${faultList(view, { capabilities: words })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}<div class="card form-card">${form(
      view,
      {
        action: staffPath(masjid, `team/people/${userId}`),
        fields: html`<p>${texts.personHint}</p>${capabilityFields(view, { chosen, fault: words, fromRole })}${actions(
          submitButton({ text: common.save, look: 'primary' }),
          linkButton({ text: common.cancel, href: staffPath(masjid, 'team') }),
        )}`,
      },
    )}</div>`,
  })
}

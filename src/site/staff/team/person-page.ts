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

interface PersonParts {
  readonly masjid: StaffedMasjid
  readonly held: readonly HeldCapability[]
  readonly chosen: readonly string[]
  /** What is wrong with the choice, in words. */
  readonly fault?: string | undefined
  readonly refusal?: string | undefined
}

export const personPage = (view: View, { masjid, held, chosen, fault, refusal }: PersonParts): Html => {
  const { staffTeam: texts, common } = view.texts
  const [{ name = '', userId = '' } = {}] = held
  const fromRole = held.filter(({ through }) => through === 'role').map(({ capability }) => capability)
  return staffFrame(view, {
    masjid,
    section: 'team',
    title: fillText(texts.personTitle, { name }),
    faulty: fault !== undefined || refusal !== undefined,
    main: html`${faultList(view, { capabilities: fault })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}<div class="card form-card">${form(
      view,
      {
        action: staffPath(masjid, `team/people/${userId}`),
        fields: html`<p>${texts.personHint}</p>${capabilityFields(view, { chosen, fault, fromRole })}${actions(
          submitButton({ text: common.save, look: 'primary' }),
          linkButton({ text: common.cancel, href: staffPath(masjid, 'team') }),
        )}`,
      },
    )}</div>`,
  })
}

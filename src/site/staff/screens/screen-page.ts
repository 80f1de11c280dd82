// A screen, and its settings as typed → the page that changes or disconnects it.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { Screen } from '../../../screens/screen.ts'
import { screenLanguages } from '../../../screens/settings.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { type Choice, selectField } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { clockChoices, otherChoices, type ScreenFaults, type ScreenValues, typeChoices } from './read-form.ts'

export interface ScreenPageParts {
  readonly masjid: StaffedMasjid
  readonly screen: Screen
  readonly values: ScreenValues
  readonly faults?: ScreenFaults
}

const choose = <Name extends string>(choices: readonly Name[], labels: Readonly<Record<Name, string>>) =>
  choices.map(value => ({ value, label: labels[value] }))

const fields = ({ texts }: View, { values, faults = {} }: ScreenPageParts): Html => {
  const { staffScreens: words, common } = texts
  const text = (name: keyof ScreenValues, parts: { label: string; hint?: string; type?: string; optional?: string }) =>
    textField({ name, value: values[name], fault: faults[name], attributes: { dir: 'auto' }, ...parts })
  const choice = (name: keyof ScreenValues, label: string, choices: readonly Choice[]) =>
    selectField({ name, label, fault: faults[name], chosen: [values[name]], choices })
  return html`${text('name', { label: words.name })}
${choice('language', words.language, choose(screenLanguages, words.languages))}
${choice('clock', words.clock, choose(clockChoices, words.clocks))}
${choice('type', words.type, choose(typeChoices, words.types))}
${choice('other_times', words.otherTimes, choose(otherChoices, words.otherChoices))}
<div class="pair">${text('ground', { label: words.ground, hint: words.groundHint, type: 'color' })}${text('accent', { label: words.accent, type: 'color' })}</div>
${text('logo', { label: words.logo, hint: words.logoHint, type: 'url', optional: common.optional })}
${text('dark_minutes', { label: words.dark, hint: words.darkHint, type: 'number' })}`
}

export const screenPage = (view: View, parts: ScreenPageParts): Html => {
  const { masjid, screen, faults = {} } = parts
  const { staffScreens: words, common } = view.texts
  const path = staffPath(masjid, `screens/${screen.id}`)
  return staffFrame(view, {
    masjid,
    section: 'screens',
    title: fillText(words.changeTitle, { screen: screen.name }),
    faulty: Object.keys(faults).length > 0,
    main: html`${faultList(view, faults)}<div class="card form-card">${form(view, {
      action: path,
      fields: html`${fields(view, parts)}${actions(
        submitButton({ text: common.save, look: 'primary' }),
        linkButton({ text: common.cancel, href: staffPath(masjid, 'screens') }),
      )}`,
    })}</div><section class="card"><h2>${words.revokeHeading}</h2><p>${words.revokeText}</p>
${form(view, { action: `${path}/revoke`, fields: submitButton({ text: words.revoke, look: 'danger' }) })}</section>`,
  })
}

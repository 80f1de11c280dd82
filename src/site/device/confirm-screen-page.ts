// A screen that asks → the page on which somebody who looks after screens names it, chooses its masjid, and decides.
import type { StaffedMasjid } from '../../capabilities/staffed-masjids.ts'
import type { AskingDevice } from '../../oauth/device/device-request.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { selectField } from '../pieces/choices.ts'
import { facts } from '../pieces/data.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { faultList, notice } from '../pieces/notices.ts'
import { codeToCompare, DECIDE_ACTION, deviceWarning } from './confirm-page.ts'
import { deviceFacts, type Looking } from './device-words.ts'

export interface ScreenForm {
  readonly masjid: string
  readonly name: string
}

/** The field that is wrong. */
export type ScreenFault = keyof ScreenForm

export interface ConfirmScreenParts {
  readonly looking: Looking
  /** Those where the person looks after screens. */
  readonly masjids: readonly StaffedMasjid[]
  readonly chosen: ScreenForm
  readonly fault: ScreenFault | undefined
}

const masjidName = ({ language }: View, { name, nameArabic, city }: StaffedMasjid): string =>
  [(language === 'ar' && nameArabic) || name, city].filter(Boolean).join(', ')

const fields = (view: View, { masjids, chosen, fault }: ConfirmScreenParts): Html => {
  const { device } = view.texts
  const [only] = masjids
  const choices = masjids.map(masjid => ({ value: masjid.id, label: masjidName(view, masjid) }))
  return html`${selectField({
    name: 'masjid',
    label: device.masjid,
    choices: masjids.length === 1 ? choices : [{ value: '', label: '–' }, ...choices],
    chosen: [chosen.masjid || (masjids.length === 1 ? (only?.id ?? '') : '')],
    fault: fault === 'masjid' ? device.masjidFault : undefined,
  })}${textField({
    name: 'name',
    label: device.screenName,
    hint: device.screenNameHint,
    value: chosen.name,
    fault: fault === 'name' ? device.screenNameFault : undefined,
    attributes: { maxlength: 60, dir: 'auto' },
  })}`
}

/** The first button is what Enter presses in the name field. */
const decide = (view: View, { request }: AskingDevice, parts: ConfirmScreenParts): Html => {
  const { device, consent } = view.texts
  const deny = submitButton({ text: consent.deny, name: 'decision', value: 'deny' })
  const connect = submitButton({ text: device.connect, look: 'primary', name: 'decision', value: 'allow' })
  const mayConnect = parts.masjids.length > 0
  return form(view, {
    action: DECIDE_ACTION,
    hidden: { request: request.id, screen: '1' },
    fields: html`${mayConnect ? fields(view, parts) : notice({ tone: 'bad', text: device.noMasjid })}
<div class="decide">${mayConnect && connect}${deny}</div>`,
  })
}

export const confirmScreenPage = (view: View, asking: AskingDevice, parts: ConfirmScreenParts): Html => {
  const { device } = view.texts
  const { fault, looking } = parts
  const faults = { masjid: device.masjidFault, name: device.screenNameFault }
  return page(view, {
    title: device.screenTitle,
    faulty: fault !== undefined,
    width: 'narrow',
    main: html`<div class="card"><h1>${device.screenHeading}</h1>${faultList(view, fault === undefined ? {} : { [fault]: faults[fault] })}
${codeToCompare(view, asking.request.userCode)}${facts(deviceFacts(view, asking.request, looking))}${deviceWarning(view)}
<p>${device.screenReads}</p>${decide(view, asking, parts)}</div>`,
  })
}

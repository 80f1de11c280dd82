// A gift as typed, and what is wrong with it → the form.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { radioGroup, selectField } from '../../pieces/choices.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import type { Campaign } from './campaign.ts'
import { enteredMethods, funds } from './gift.ts'
import { type GiftFaults, type GiftForm, givers } from './read-gift.ts'

export interface GiftPageParts {
  readonly masjid: StaffedMasjid
  readonly values: GiftForm
  readonly campaigns: readonly Campaign[]
  readonly faults?: GiftFaults
  /** What the database refused, in its words. */
  readonly refusal?: string
  readonly done?: string | undefined
}

type Words = Readonly<Record<string, string>>

const moneyFields = ({ texts }: View, { values }: GiftPageParts, words: Words): Html => {
  const { staffGiving: giving } = texts
  return html`<div class="pair">${textField({ name: 'amount', label: giving.amount, hint: giving.amountHint, value: values.amount, fault: words.amount, attributes: { inputmode: 'decimal', autocomplete: 'off', dir: 'ltr' } })}
${textField({ name: 'currency', label: giving.currency, hint: giving.currencyHint, value: values.currency, fault: words.currency, attributes: { maxlength: 3, autocomplete: 'off', dir: 'ltr' } })}</div>
<div class="pair">${selectField({ name: 'fund', label: giving.fund, fault: words.fund, chosen: [values.fund], choices: funds.map(value => ({ value, label: giving.funds[value] })) })}
${selectField({ name: 'method', label: giving.method, fault: words.method, chosen: [values.method], choices: enteredMethods.map(value => ({ value, label: giving.methods[value] })) })}</div>`
}

const giverFields = ({ texts }: View, { values }: GiftPageParts, words: Words): Html => {
  const { staffGiving: giving, common } = texts
  const optional = common.optional
  return html`${radioGroup({ name: 'giver', label: giving.giver, fault: words.giver, chosen: [values.giver], choices: givers.map(value => ({ value, label: giving.givers[value] })) })}
<div class="pair">${textField({ name: 'name', label: giving.name, value: values.name, fault: words.name, optional, attributes: { dir: 'auto', maxlength: 200, autocomplete: 'off' } })}
${textField({ name: 'email', label: giving.email, hint: giving.emailHint, value: values.email, fault: words.email, optional, type: 'email', attributes: { dir: 'ltr', autocomplete: 'off' } })}</div>`
}

const otherFields = ({ texts }: View, { values, campaigns }: GiftPageParts, words: Words): Html => {
  const { staffGiving: giving, common } = texts
  const none = { value: '', label: giving.noCampaign }
  return html`${selectField({ name: 'campaign', label: giving.campaign, fault: words.campaign, chosen: [values.campaign], choices: [none, ...campaigns.map(({ id, title, currency }) => ({ value: id, label: `${title} (${currency})` }))] })}
<div class="pair">${textField({ name: 'day', label: giving.day, value: values.day, fault: words.day, type: 'date' })}
${textField({ name: 'reference', label: giving.reference, hint: giving.referenceHint, value: values.reference, fault: words.reference, optional: common.optional, attributes: { dir: 'auto', maxlength: 100, autocomplete: 'off' } })}</div>`
}

export const giftPage = (view: View, parts: GiftPageParts): Html => {
  const { staffGiving: giving, common } = view.texts
  const { masjid, refusal, done } = parts
  const words = faultWords(giving.faults, parts.faults)
  return staffFrame(view, {
    masjid,
    section: 'giving',
    title: giving.record,
    done,
    faulty: Object.keys(words).length > 0 || refusal !== undefined,
    main: html`${faultList(view, words)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
<div class="card form-card">${form(view, {
      action: staffPath(masjid, 'giving/new'),
      fields: html`${moneyFields(view, parts, words)}${giverFields(view, parts, words)}${otherFields(view, parts, words)}
${actions(
  submitButton({ text: giving.save, look: 'primary' }),
  submitButton({ text: giving.saveAndNext, name: 'next', value: 'yes' }),
  linkButton({ text: common.cancel, href: staffPath(masjid, 'giving') }),
)}<p class="hint">${giving.noCards}</p>`,
    })}</div>`,
  })
}

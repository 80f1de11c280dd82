// A gift → the page that takes it back, in full or in part: gifts are never changed or deleted.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { formatMoney, typedAmount } from '../../../giving/money.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { facts } from '../../pieces/data.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { shortDayOf } from '../local-words.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { type Gift, nameOf, restOf } from './gift.ts'

export interface ReverseParts {
  readonly masjid: StaffedMasjid
  readonly gift: Gift
  readonly amount?: string
  readonly fault?: string
  readonly refusal?: string
}

export const reversePage = (view: View, { masjid, gift, amount, fault, refusal }: ReverseParts): Html => {
  const { staffGiving: giving, common } = view.texts
  const money = (minor: number): string => formatMoney(view.language, minor, gift.currency)
  return staffFrame(view, {
    masjid,
    section: 'giving',
    title: giving.reverseTitle,
    faulty: fault !== undefined || refusal !== undefined,
    main: html`${faultList(view, { amount: fault })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}<p>${giving.reverseText}</p>
<div class="card form-card">${facts([
      [giving.day, shortDayOf(view, masjid, gift.received_at)],
      [giving.giver, gift.is_anonymous ? giving.anonymous : html`<bdi>${nameOf(gift) || giving.member}</bdi>`],
      [giving.amount, html`<bdi>${money(gift.amount_minor)}</bdi>`],
      [giving.rest, html`<bdi>${money(restOf(gift))}</bdi>`],
    ])}${form(view, {
      action: staffPath(masjid, `giving/${gift.id}/reverse`),
      fields: html`${textField({ name: 'amount', label: giving.reverseAmount, value: amount ?? typedAmount(restOf(gift), gift.currency), fault, attributes: { inputmode: 'decimal', dir: 'ltr' } })}
${actions(submitButton({ text: giving.reverse, look: 'danger' }), linkButton({ text: common.cancel, href: staffPath(masjid, 'giving') }))}`,
    })}</div>`,
  })
}

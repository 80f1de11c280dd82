// Givers of a year → their list; one giver's gifts → a receipt that prints well.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { formatMoney } from '../../../giving/money.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton } from '../../pieces/buttons.ts'
import { facts, table } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { emptyState } from '../../pieces/notices.ts'
import { localDayOf, shortDayOf } from '../local-words.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { type Fund, GIFTS_A_PAGE, type Gift, type Giver, nameOf, type ReceiptMasjid } from './gift.ts'

export interface GiversParts {
  readonly masjid: StaffedMasjid
  readonly year: number
  readonly givers: readonly Giver[]
  readonly skip: number
}

export const giversPage = (view: View, { masjid, year, givers, skip }: GiversParts): Html => {
  const { staffGiving: giving } = view.texts
  const base = staffPath(masjid, 'giving/receipts')
  const rows = givers.slice(0, GIFTS_A_PAGE).map(giver => [
    html`<bdi>${nameOf(giver) || giving.member}</bdi>`,
    html`<bdi>${giver.member?.email ?? giver.donor_email}</bdi>`,
    linkButton({
      href: `${base}/${giver.id}?year=${year}`,
      text: giving.receipt,
      size: 'small',
      label: `${giving.receipt}: ${nameOf(giver)}`,
    }),
  ])
  return staffFrame(view, {
    masjid,
    section: 'giving',
    title: fillText(giving.receiptsTitle, { year }),
    main: html`<p>${giving.receiptsText}</p>${
      rows.length === 0
        ? emptyState({ title: giving.none, text: giving.receiptsNone })
        : table({ caption: giving.receipts, head: [giving.giver, giving.email, giving.receipt], rows })
    }${givers.length > GIFTS_A_PAGE && html`<p>${linkButton({ href: `${base}?year=${year}&skip=${skip + GIFTS_A_PAGE}`, text: giving.older })}</p>`}`,
  })
}

export interface ReceiptParts {
  readonly masjid: StaffedMasjid
  readonly details: ReceiptMasjid
  readonly year: number
  readonly gifts: readonly Gift[]
  readonly number: string
  readonly today: string
}

/** What is left of each row: refunds are part of it, reversals are rows of their own. */
const netOf = ({ amount_minor, refunded_minor }: Gift): number => amount_minor - refunded_minor

const totalsOf = (gifts: readonly Gift[]): readonly (readonly [Fund, string, number])[] => {
  const sums = new Map<string, readonly [Fund, string, number]>()
  for (const gift of gifts) {
    const key = `${gift.currency} ${gift.fund}`
    sums.set(key, [gift.fund, gift.currency, (sums.get(key)?.[2] ?? 0) + netOf(gift)])
  }
  return [...sums.values()]
}

const masjidPart = ({ language }: View, { name, name_ar, entity, ...place }: ReceiptMasjid): Html => {
  const lines = [
    place.address,
    [place.postal_code, place.city, place.state, place.country].filter(Boolean).join(' '),
    [place.phone, place.email].filter(Boolean).join(' · '),
  ]
  return html`<address class="receipt-from"><strong><bdi>${(language === 'ar' && name_ar) || name}</bdi></strong><br>${
    entity !== null && html`<bdi>${[entity.legal_name, entity.registration_no].filter(Boolean).join(' · ')}</bdi><br>`
  }${lines.filter(Boolean).map(line => html`<bdi>${line}</bdi><br>`)}</address>`
}

const giftsTable = (view: View, { masjid, gifts }: ReceiptParts): Html => {
  const { staffGiving: giving } = view.texts
  return table({
    caption: giving.list,
    head: [giving.day, giving.fund, giving.method, giving.amount],
    numbers: [3],
    rows: gifts.map(gift => [
      shortDayOf(view, masjid, gift.received_at),
      html`${giving.funds[gift.fund]}${gift.reverses_donation_id !== null && html` (${giving.reversal})`}`,
      giving.methods[gift.method],
      html`<bdi>${formatMoney(view.language, netOf(gift), gift.currency)}</bdi>`,
    ]),
  })
}

const totalsTable = (view: View, { gifts }: ReceiptParts): Html => {
  const { staffGiving: giving } = view.texts
  const totals = totalsOf(gifts)
  const currencies = [...new Set(totals.map(([, currency]) => currency))]
  const all = currencies.map(currency => {
    const minor = totals.filter(([, of]) => of === currency).reduce((sum, [, , part]) => sum + part, 0)
    return [
      html`<strong>${giving.total}</strong>`,
      html`<strong><bdi>${formatMoney(view.language, minor, currency)}</bdi></strong>`,
    ]
  })
  const rows = totals.map(([fund, currency, minor]) => [
    html`${giving.funds[fund]}`,
    html`<bdi>${formatMoney(view.language, minor, currency)}</bdi>`,
  ])
  return table({ caption: giving.byFund, head: [giving.fund, giving.amount], rows: [...rows, ...all], numbers: [1] })
}

export const receiptPage = (view: View, parts: ReceiptParts): Html => {
  const { masjid, details, year, gifts, number, today } = parts
  const { staffGiving: giving } = view.texts
  const [first] = gifts
  return staffFrame(view, {
    masjid,
    section: 'giving',
    title: fillText(giving.receiptTitle, { year }),
    main: html`<div class="no-print">${actions(linkButton({ href: `${staffPath(masjid, 'giving/receipts')}?year=${year}`, text: giving.receipts }))}<p class="hint">${giving.printHint}</p></div>
<article class="receipt">${masjidPart(view, details)}${facts([
      [giving.receiptFor, html`<bdi>${(first && nameOf(first)) || giving.member}</bdi>`],
      [giving.receiptNumber, html`<bdi dir="ltr">${number}</bdi>`],
      [giving.receiptDate, localDayOf(view, today)],
    ])}<p>${fillText(giving.receiptText, { year })}</p>${giftsTable(view, parts)}${totalsTable(view, parts)}
<p class="receipt-signature">${giving.signature}</p></article>`,
  })
}

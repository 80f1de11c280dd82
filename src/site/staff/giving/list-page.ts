// A year of gifts → totals by fund, a chart of its months, and the list.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { GivingTotal } from '../../../giving/giving-totals.ts'
import { formatMoney, wholeUnits } from '../../../giving/money.ts'
import { chart } from '../../console/chart.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton } from '../../pieces/buttons.ts'
import { table } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, emptyState } from '../../pieces/notices.ts'
import { shortDayOf } from '../local-words.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { type Fund, GIFTS_A_PAGE, type Gift, nameOf, restOf } from './gift.ts'

export interface GivingParts {
  readonly masjid: StaffedMasjid
  readonly year: number
  readonly totals: readonly GivingTotal[]
  readonly gifts: readonly Gift[]
  readonly skip: number
  readonly done: string | undefined
}

const sum = (totals: readonly GivingTotal[]): number => totals.reduce((all, { minor }) => all + minor, 0)

const currenciesOf = (totals: readonly GivingTotal[]): readonly string[] => [
  ...new Set(totals.map(({ currency }) => currency)),
]

const fundRows = (view: View, totals: readonly GivingTotal[]): Html[][] => {
  const { staffGiving } = view.texts
  return currenciesOf(totals).flatMap(currency => {
    const those = totals.filter(total => total.currency === currency)
    return [...new Set(those.map(({ fund }) => fund))].map(fund => {
      const ofFund = those.filter(total => total.fund === fund)
      const gifts = ofFund.reduce((all, total) => all + total.gifts, 0)
      return [
        html`${staffGiving.funds[fund as Fund]}`,
        html`${gifts}`,
        html`<bdi>${formatMoney(view.language, sum(ofFund), currency)}</bdi>`,
      ]
    })
  })
}

const monthName = ({ language }: View, month: number): string =>
  new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, month - 1, 15)))

const monthsChart = (view: View, totals: readonly GivingTotal[], currency: string): Html => {
  const those = totals.filter(total => total.currency === currency)
  const points = Array.from({ length: 12 }, (_, index) => ({
    label: monthName(view, index + 1),
    value: Math.max(0, Math.round(wholeUnits(sum(those.filter(({ month }) => month === index + 1)), currency))),
  }))
  const total = formatMoney(view.language, sum(those), currency)
  return chart({ title: `${view.texts.staffGiving.byMonth} (${currency})`, summary: total, points })
}

const monthsTable = (view: View, totals: readonly GivingTotal[]): Html => {
  const { byMonth, month, amount } = view.texts.staffGiving
  const rows = currenciesOf(totals).flatMap(currency =>
    Array.from({ length: 12 }, (_, index) => index + 1).flatMap(number => {
      const those = totals.filter(total => total.currency === currency && total.month === number)
      return those.length === 0 ? [] : [[monthName(view, number), formatMoney(view.language, sum(those), currency)]]
    }),
  )
  return html`<details><summary>${byMonth}</summary>${table({ caption: byMonth, head: [month, amount], rows, numbers: [1] })}</details>`
}

const totalsPart = (view: View, totals: readonly GivingTotal[]): Html => {
  if (totals.length === 0) return nothing
  const { byFund, fund, gifts, amount } = view.texts.staffGiving
  return html`<section class="card"><h2>${byFund}</h2>${table({ caption: byFund, head: [fund, gifts, amount], rows: fundRows(view, totals), numbers: [1, 2] })}
${currenciesOf(totals).map(currency => monthsChart(view, totals, currency))}${monthsTable(view, totals)}</section>`
}

const giverCell = ({ texts }: View, gift: Gift): Html => {
  const { staffGiving } = texts
  if (gift.is_anonymous) return html`<span class="soft">${staffGiving.anonymous}</span>`
  return html`<bdi>${nameOf(gift) || staffGiving.member}</bdi>`
}

const stateOf = ({ texts }: View, masjid: StaffedMasjid, gift: Gift): Html => {
  const { reversal, reversed, reverse, reverseOf } = texts.staffGiving
  if (gift.reverses_donation_id !== null) return badge(reversal, 'warn')
  if (restOf(gift) <= 0) return badge(reversed, 'warn')
  const label = fillText(reverseOf, { name: nameOf(gift) })
  return linkButton({ href: staffPath(masjid, `giving/${gift.id}/reverse`), text: reverse, size: 'small', label })
}

const giftRow = (view: View, masjid: StaffedMasjid, gift: Gift): Html[] => {
  const { staffGiving } = view.texts
  return [
    shortDayOf(view, masjid, gift.received_at),
    html`<bdi>${formatMoney(view.language, gift.amount_minor, gift.currency)}</bdi>`,
    giverCell(view, gift),
    html`${staffGiving.funds[gift.fund]}${gift.campaign !== null && html`<br><bdi class="soft small">${gift.campaign.title}</bdi>`}`,
    html`${staffGiving.methods[gift.method]}${gift.reference !== null && html`<br><bdi class="soft small">${gift.reference}</bdi>`}`,
    stateOf(view, masjid, gift),
  ]
}

const yearLinks = (view: View, { masjid, year }: GivingParts): Html => {
  const { previousYear, nextYear } = view.texts.staffGiving
  const link = (of: number, text: string): Html =>
    linkButton({ href: `${staffPath(masjid, 'giving')}?year=${of}`, text: fillText(text, { year: of }), size: 'small' })
  return actions(link(year - 1, previousYear), link(year + 1, nextYear))
}

const giftsPart = (view: View, parts: GivingParts): Html => {
  const { masjid, gifts, year, skip } = parts
  const { staffGiving } = view.texts
  if (gifts.length === 0) return emptyState({ title: staffGiving.none, text: staffGiving.noneText })
  const head = [
    staffGiving.day,
    staffGiving.amount,
    staffGiving.giver,
    staffGiving.fund,
    staffGiving.method,
    staffGiving.state,
  ]
  const rows = gifts.slice(0, GIFTS_A_PAGE).map(gift => giftRow(view, masjid, gift))
  const more = `${staffPath(masjid, 'giving')}?year=${year}&skip=${skip + GIFTS_A_PAGE}`
  return html`<h2>${staffGiving.list}</h2>${table({ caption: staffGiving.list, head, rows, numbers: [1], cards: true })}${
    gifts.length > GIFTS_A_PAGE && html`<p>${linkButton({ href: more, text: staffGiving.older })}</p>`
  }`
}

export const givingPage = (view: View, parts: GivingParts): Html => {
  const { masjid, year, totals, done } = parts
  const { staffGiving } = view.texts
  return staffFrame(view, {
    masjid,
    section: 'giving',
    title: fillText(staffGiving.title, { year }),
    done,
    main: html`${actions(
      linkButton({ href: staffPath(masjid, 'giving/new'), text: staffGiving.record, look: 'primary' }),
      linkButton({ href: staffPath(masjid, 'giving/import'), text: staffGiving.importTitle }),
      linkButton({ href: staffPath(masjid, 'giving/campaigns'), text: staffGiving.campaigns }),
      linkButton({ href: `${staffPath(masjid, 'giving/receipts')}?year=${year}`, text: staffGiving.receipts }),
    )}${yearLinks(view, parts)}${totalsPart(view, totals)}${giftsPart(view, parts)}`,
  })
}

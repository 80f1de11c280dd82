// Giving: a year's gifts and totals, recording and taking back gifts, receipts.
import { localDateAt } from '../../../base/local-time.ts'
import { readGivingTotals, usualCurrency } from '../../../giving/giving-totals.ts'
import { readAmount } from '../../../giving/money.ts'
import { receiptNumber } from '../../../giving/receipt-number.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { ask, read } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { doneWords, idIn, REFUSED, skipOf } from '../form-steps.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { type Campaign, OPEN_CAMPAIGNS } from './campaign.ts'
import { addCampaignRoutes } from './campaign-routes.ts'
import {
  GIVERS,
  type Gift,
  type Giver,
  LIST,
  MEMBER,
  ONE,
  RECEIPT_OF_GUEST,
  RECEIPT_OF_MEMBER,
  RECEIPT_ROWS,
  RECORD,
  type ReceiptMasjid,
  restOf,
} from './gift.ts'
import { giftPage } from './gift-page.ts'
import { addImportRoutes } from './import-routes.ts'
import { givingPage } from './list-page.ts'
import { checkGift, emptyGift, type GiftValues, readGiftForm } from './read-gift.ts'
import { giversPage, receiptPage } from './receipt-pages.ts'
import { reversePage } from './reverse-page.ts'
import { yearOf } from './year.ts'

const showYear = async ({ database, graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const { year, from, to } = yearOf(visit, masjid)
  const skip = skipOf(visit)
  const variables = { masjid: masjid.id, from: from.toISOString(), to: to.toISOString(), skip }
  const { gifts } = await read<{ gifts: Gift[] }>(graphql, visit, { query: LIST, variables })
  const totals = await readGivingTotals(database, { masjidId: masjid.id, timezone: masjid.timezone, from, to })
  const { words } = doneWords(visit, visit.view.texts.staffGiving.done)
  return showPage(givingPage(visit.view, { masjid, year, totals, gifts, skip, done: words }))
}

const openCampaigns = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Campaign[]> => {
  const variables = { masjid: masjid.id }
  const { campaigns } = await read<{ campaigns: Campaign[] }>(graphql, visit, { query: OPEN_CAMPAIGNS, variables })
  return campaigns
}

const showNew = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const campaigns = await openCampaigns(parts, here)
  const currency = visit.query.text('currency') || ((await usualCurrency(parts.database, masjid.id)) ?? '')
  const values = emptyGift(currency.slice(0, 3), masjid.timezone, new Date())
  const { words } = doneWords(visit, visit.view.texts.staffGiving.done)
  return showPage(giftPage(visit.view, { masjid, values, campaigns, done: words }))
}

/** A giver who is listed as a member, for those who may see members, is one. */
const withMember = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit, values: GiftValues) => {
  const { donor_email: email } = values
  if (email === null) return values
  const variables = { masjid: masjid.id, email }
  const { members } = await read<{ members: { id: string }[] }>(graphql, visit, { query: MEMBER, variables })
  const [member] = members
  return member === undefined ? values : { ...values, member_id: member.id, donor_name: null, donor_email: null }
}

const acceptNew = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const campaigns = await openCampaigns(parts, here)
  const values = readGiftForm(visit.form)
  const shown = { masjid, values, campaigns }
  const currencies = new Map(campaigns.map(({ id, currency }) => [id, currency]))
  const checked = checkGift(values, { timezone: masjid.timezone, now: new Date(), campaigns: currencies })
  if ('faults' in checked) return showPage(giftPage(visit.view, { ...shown, faults: checked.faults }), REFUSED)
  const gift = await withMember(parts, here, checked.values)
  const objects = [{ ...gift, masjid_id: masjid.id }]
  const written = await ask(parts.graphql, visit, { query: RECORD, variables: { objects } })
  if ('refused' in written)
    return showPage(giftPage(visit.view, { ...shown, refusal: written.refused.message }), REFUSED)
  const next = visit.form.text('next') === 'yes'
  const year = values.day.slice(0, 4)
  return redirectTo(
    next
      ? `${staffPath(masjid, 'giving/new')}?done=recorded&currency=${checked.values.currency}`
      : `${staffPath(masjid, 'giving')}?done=recorded&year=${year}`,
  )
}

/** Gifts to other masjids do not exist here; what was already taken back cannot be again. */
const findGift = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Gift> => {
  const variables = { masjid: masjid.id, id: idIn(visit) }
  const { gifts } = await read<{ gifts: Gift[] }>(graphql, visit, { query: ONE, variables })
  const [gift] = gifts
  if (gift === undefined) throw notFound()
  return gift
}

const findReversible = async (parts: StaffParts, here: StaffVisit): Promise<Gift> => {
  const gift = await findGift(parts, here)
  if (gift.reverses_donation_id !== null || restOf(gift) <= 0) throw notFound()
  return gift
}

const showReversal = async (parts: StaffParts, here: StaffVisit): Promise<Answer> =>
  showPage(reversePage(here.visit.view, { masjid: here.masjid, gift: await findReversible(parts, here) }))

const acceptReversal = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const gift = await findReversible(parts, here)
  const amount = visit.form.text('amount')
  const minor = readAmount(amount, gift.currency)
  const { staffGiving } = visit.view.texts
  if (minor === undefined || minor > restOf(gift)) {
    const fault = minor === undefined ? staffGiving.faults.amount : staffGiving.tooMuch
    return showPage(reversePage(visit.view, { masjid, gift, amount, fault }), REFUSED)
  }
  const objects = [{ reverses_donation_id: gift.id, amount_minor: -minor }]
  const written = await ask(parts.graphql, visit, { query: RECORD, variables: { objects } })
  if ('refused' in written)
    return showPage(reversePage(visit.view, { masjid, gift, amount, refusal: written.refused.message }), REFUSED)
  return redirectTo(`${staffPath(masjid, 'giving')}?done=reversed`)
}

const showGivers = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const { year, from, to } = yearOf(visit, masjid)
  const skip = skipOf(visit)
  const variables = { masjid: masjid.id, from: from.toISOString(), to: to.toISOString(), skip }
  const { givers } = await read<{ givers: Giver[] }>(graphql, visit, { query: GIVERS, variables })
  return showPage(giversPage(visit.view, { masjid, year, givers, skip }))
}

interface ReceiptData {
  readonly gifts: readonly Gift[]
  readonly masjid: ReceiptMasjid
}

/** More than one gift on every day of a year. */
const MOST_RECEIPT_PAGES = 10

const readReceipt = async (
  { graphql }: StaffParts,
  visit: SignedInVisit,
  { query, variables }: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
): Promise<ReceiptData> => {
  const pages: ReceiptData[] = []
  do {
    const skip = pages.length * RECEIPT_ROWS
    pages.push(await read<ReceiptData>(graphql, visit, { query, variables: { ...variables, skip } }))
  } while (pages.at(-1)?.gifts.length === RECEIPT_ROWS && pages.length < MOST_RECEIPT_PAGES)
  return { ...(pages[0] as ReceiptData), gifts: pages.flatMap(({ gifts }) => gifts) }
}

/** The address names one of the giver's gifts, so that no name or email address is in it. */
const showReceipt = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const gift = await findGift(parts, here)
  const giver = gift.member?.id ?? gift.donor_email
  if (gift.is_anonymous || giver === null) throw notFound()
  const { year, from, to } = yearOf(visit, masjid)
  const query = gift.member === null ? RECEIPT_OF_GUEST : RECEIPT_OF_MEMBER
  const variables = { masjid: masjid.id, from: from.toISOString(), to: to.toISOString(), giver }
  const found = await readReceipt(parts, visit, { query, variables })
  const number = receiptNumber(masjid.id, year, giver)
  const today = localDateAt(new Date(), masjid.timezone)
  return showPage(receiptPage(visit.view, { masjid, details: found.masjid, year, gifts: found.gifts, number, today }))
}

export const addGivingRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'giving')
  const base = '/staff/:slug/giving'
  addCampaignRoutes(routes, parts)
  addImportRoutes(routes, parts)
  routes.getSignedIn(base, here(showYear))
  routes.getSignedIn(`${base}/new`, here(showNew))
  routes.postSignedIn(`${base}/new`, here(acceptNew))
  routes.getSignedIn(`${base}/receipts`, here(showGivers))
  routes.getSignedIn(`${base}/receipts/:id`, here(showReceipt))
  routes.getSignedIn(`${base}/:id/reverse`, here(showReversal))
  routes.postSignedIn(`${base}/:id/reverse`, here(acceptReversal))
}

// get_my_giving: what the person who is signed in gave in a year, by masjid, fund and currency. Never anybody else's gifts.
import * as z from 'zod'
import { formatMoney } from '../../giving/money.ts'
import { type Call, defineTool } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'

/** Somebody who looks after a masjid's giving may read everybody's gifts: the filter leaves their own. */
const QUERY = `query MyGiving($me: uuid!, $from: timestamptz!, $until: timestamptz!, $offset: Int!) {
  gifts: ua_donations(
    where: {member: {user_id: {_eq: $me}}, received_at: {_gte: $from, _lt: $until}, status: {_in: [succeeded, refunded]}}
    order_by: [{received_at: asc}, {id: asc}], limit: 100, offset: $offset
  ) { amount_minor refunded_minor currency fund reverses_donation_id masjid { slug name } }
}`

interface Gift {
  readonly amount_minor: number
  readonly refunded_minor: number
  readonly currency: string
  readonly fund: string
  readonly reverses_donation_id: string | null
  readonly masjid: { readonly slug: string; readonly name: string } | null
}

const PAGE = 100
const MOST_PAGES = 20

const readGifts = async ({ ask, grant }: Call, year: number): Promise<readonly Gift[]> => {
  const variables = { me: grant.userId, from: `${year}-01-01T00:00:00Z`, until: `${year + 1}-01-01T00:00:00Z` }
  const all: Gift[] = []
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { gifts } = await ask<{ gifts: readonly Gift[] }>({
      query: QUERY,
      variables: { ...variables, offset: page * PAGE },
    })
    all.push(...gifts)
    if (gifts.length < PAGE) return all
  }
  throw new ToolRefusal(`There are more than ${PAGE * MOST_PAGES} gifts. Ask the masjid for a receipt of the year.`)
}

/** Zakat is restricted money: gifts of different funds or currencies are never added together. */
const totalsOf = (gifts: readonly Gift[]) =>
  [...Map.groupBy(gifts, ({ masjid, fund, currency }) => `${masjid?.slug} ${fund} ${currency}`).values()].map(group => {
    const [first] = group as [Gift]
    const minor = group.reduce((sum, gift) => sum + gift.amount_minor - gift.refunded_minor, 0)
    return {
      masjid: first.masjid?.slug ?? '',
      name: first.masjid?.name ?? 'a masjid that is no longer listed',
      fund: first.fund,
      currency: first.currency,
      amount_minor: minor,
      amount: formatMoney('en', minor, first.currency),
      gifts: group.filter(({ reverses_donation_id: reverses }) => reverses === null).length,
    }
  })

export const getMyGiving = defineTool({
  name: 'get_my_giving',
  title: 'My giving this year',
  description:
    'What the person who is signed in gave in a year, by masjid, fund and currency, less what was given back. Only their own gifts.',
  scopes: ['masjid:read', 'donations:read', 'members:read'],
  writes: false,
  input: z.strictObject({ year: z.int().min(2000).max(2100).optional().describe('This year if left out.') }),
  output: z.object({
    year: z.number(),
    totals: z.array(
      z.object({
        masjid: z.string(),
        name: z.string(),
        fund: z.string(),
        currency: z.string(),
        amount: z.string(),
        amount_minor: z.number().describe('In the smallest unit of the currency'),
        gifts: z.number(),
      }),
    ),
  }),
  run: async (call, { year = call.now.getUTCFullYear() }) => {
    if (call.grant.userId === undefined) throw new ToolRefusal('Nobody is signed in: this tool is about one person.')
    const totals = totalsOf(await readGifts(call, year))
    const lines = totals.map(({ name, fund, amount, gifts }) => `- ${name}, ${fund}: ${amount} in ${gifts} gifts`)
    return {
      words: totals.length === 0 ? `No gifts in ${year}.` : [`Given in ${year}:`, ...lines].join('\n'),
      data: { year, totals },
    }
  },
})

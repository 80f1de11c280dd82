/** Invents campaigns, recurring gifts and 5,000 donations in each masjid's own currency. */
import { addDays } from './calendar.ts'
import type { Masjid } from './directory.ts'
import { fixtureId } from './fixture-id.ts'
import type { Member } from './people.ts'
import { createRandom, type Random } from './random.ts'

const donationCount = 5000
const recurringCount = 300
const currencies = { US: 'USD', CA: 'CAD', GB: 'GBP' } as const
const funds = [
  'general',
  'general',
  'general',
  'zakat',
  'zakat',
  'zakat_al_fitr',
  'sadaqah',
  'sadaqah',
  'waqf',
  'building',
  'education',
] as const
const methods = ['card', 'card', 'card', 'bank_transfer', 'direct_debit', 'wallet', 'cheque', 'cash'] as const
const purposes = [
  ['A new roof', 'building'],
  ['Wudu area for everyone', 'building'],
  ['Weekend school books', 'education'],
  ['Zakat for neighbours', 'zakat'],
  ['Winter food boxes', 'sadaqah'],
  ['An orchard as waqf', 'waqf'],
] as const

export type Giving = {
  readonly campaigns: readonly Readonly<Record<string, unknown>>[]
  readonly recurring: readonly Readonly<Record<string, unknown>>[]
  readonly donations: readonly Readonly<Record<string, unknown>>[]
}

type Context = {
  readonly seed: number
  readonly today: string
  readonly random: Random
  readonly masjidById: ReadonlyMap<string, Masjid>
  readonly members: readonly Member[]
}

export function generateGiving(
  seed: number,
  today: string,
  masjids: readonly Masjid[],
  members: readonly Member[],
): Giving {
  const random = createRandom(seed, 'giving')
  const masjidById = new Map(masjids.map(masjid => [masjid.id, masjid]))
  const context = { seed, today, random, masjidById, members }
  const campaigns = masjids.map((masjid, index) => inventCampaign(context, masjid, index))
  const campaignOf = new Map(campaigns.map(campaign => [campaign.masjid_id, campaign]))
  const recurring = Array.from({ length: recurringCount }, (_, index) => inventRecurring(context, index))
  const recurringOf = new Map(recurring.map(gift => [gift.member_id, gift]))
  const donations = Array.from({ length: donationCount }, (_, index) =>
    inventDonation({ ...context, campaignOf, recurringOf }, index),
  )
  return { campaigns, recurring, donations }
}

const currencyOf = (masjid: Masjid) => currencies[masjid.country]

function inventCampaign({ seed, today, random }: Context, masjid: Masjid, index: number) {
  const [title, fund] = random.pick(purposes)
  const starts = addDays(today, -random.integer(20, 380))
  const completed = random.chance(0.2)
  return {
    id: fixtureId(seed, 'ua_campaigns', index),
    masjid_id: masjid.id,
    title: `${title} at ${masjid.name}`,
    description: 'An invented campaign.',
    fund,
    goal_minor: random.integer(5, 400) * 100_000,
    currency: currencyOf(masjid),
    starts_on: starts,
    ends_on: completed
      ? addDays(today, -random.integer(1, 15))
      : random.chance(0.5)
        ? addDays(today, random.integer(20, 200))
        : null,
    status: completed ? 'completed' : 'active',
  }
}

function inventRecurring({ seed, today, random, masjidById, members }: Context, index: number) {
  const member = members[Math.floor((index * members.length) / recurringCount)] as Member
  const masjid = masjidById.get(member.masjid_id) as Masjid
  const status = random.pick(['active', 'active', 'active', 'active', 'paused', 'cancelled'] as const)
  return {
    id: fixtureId(seed, 'ua_recurring_donations', index),
    masjid_id: masjid.id,
    member_id: member.id,
    amount_minor: random.pick([1000, 2000, 2500, 5000, 10000, 25000]),
    currency: currencyOf(masjid),
    fund: random.pick(funds),
    method: random.pick(['card', 'direct_debit', 'bank_transfer']),
    recurrence: random.pick(['monthly', 'monthly', 'monthly', 'weekly', 'yearly']),
    starts_on: addDays(today, -random.integer(40, 700)),
    next_on: status === 'active' ? addDays(today, random.integer(1, 28)) : null,
    status,
  }
}

type DonationContext = Context & {
  readonly campaignOf: ReadonlyMap<string, ReturnType<typeof inventCampaign>>
  readonly recurringOf: ReadonlyMap<string, ReturnType<typeof inventRecurring>>
}

function inventDonation(context: DonationContext, index: number) {
  const { seed, random, campaignOf, recurringOf } = context
  const { masjid, ...giver } = inventGiver(context, index)
  const recurring = giver.member_id === null ? undefined : recurringOf.get(giver.member_id)
  const campaign = recurring === undefined && random.chance(0.3) ? campaignOf.get(masjid.id) : undefined
  const amount = recurring?.amount_minor ?? Math.round(5 * Math.exp(random.next() * 5)) * 100
  const method = recurring?.method ?? random.pick(methods)
  return {
    id: fixtureId(seed, 'ua_donations', index),
    masjid_id: masjid.id,
    ...giver,
    campaign_id: campaign?.id ?? null,
    recurring_donation_id: recurring?.id ?? null,
    amount_minor: amount,
    currency: currencyOf(masjid),
    fee_minor: method === 'card' || method === 'wallet' ? Math.round(amount * 0.029) + 30 : 0,
    fund: recurring?.fund ?? campaign?.fund ?? random.pick(funds),
    method,
    ...inventOutcome(context, amount),
  }
}

/** Three in five are members, a sixth are anonymous; of the guests half left their name. */
function inventGiver({ random, masjidById, members }: Context, index: number) {
  // the first member of all without an office gives the first gifts, so that a demo account linked to it has some
  const member = (index < 12 ? members[3] : random.pick(members)) as Member
  const masjid = masjidById.get(member.masjid_id) as Masjid
  const nobody = { masjid, member_id: null, is_anonymous: false, donor_name: null, donor_email: null }
  const kind = index < 12 ? 0 : random.next()
  if (kind < 0.6) return { ...nobody, member_id: member.id }
  if (kind < 0.77) return { ...nobody, is_anonymous: true }
  if (kind < 0.89) return nobody
  return { ...nobody, donor_name: `Sample Guest ${index}`, donor_email: `guest${index}@example.org` }
}

function inventOutcome({ random, today }: Context, amount: number) {
  const chance = random.next()
  const status = chance < 0.95 ? 'succeeded' : chance < 0.97 ? 'refunded' : chance < 0.99 ? 'failed' : 'pending'
  const second = random.integer(0, 86_399)
  const received = `${addDays(today, -random.integer(1, 400))}T${new Date(second * 1000).toISOString().slice(11, 19)}Z`
  return {
    status,
    refunded_minor:
      status === 'refunded' ? amount : status === 'succeeded' && random.chance(0.02) ? Math.floor(amount / 2) : 0,
    received_at: status === 'succeeded' || status === 'refunded' ? received : null,
  }
}

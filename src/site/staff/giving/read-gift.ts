// The form of a gift as typed → what is written, or what is wrong with it.
import { instantOf, localDateAt } from '../../../base/local-time.ts'
import { isCurrency, readAmount } from '../../../giving/money.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { enteredMethods, type Fund, funds, type Method } from './gift.ts'

const names = [
  'amount',
  'currency',
  'fund',
  'method',
  'day',
  'giver',
  'name',
  'email',
  'campaign',
  'reference',
] as const
export type GiftForm = Readonly<Record<(typeof names)[number], string>>

export const givers = ['named', 'anonymous'] as const

export const readGiftForm = (form: Pick<FormValues, 'text'>): GiftForm =>
  Object.fromEntries(names.map(name => [name, form.text(name).slice(0, 300)])) as GiftForm

export const emptyGift = (currency: string, timezone: string, now: Date): GiftForm => ({
  amount: '',
  currency,
  fund: 'general',
  method: 'cash',
  day: localDateAt(now, timezone),
  giver: 'named',
  name: '',
  email: '',
  campaign: '',
  reference: '',
})

type GiftFault =
  | 'amount'
  | 'currency'
  | 'fund'
  | 'method'
  | 'day'
  | 'future'
  | 'giver'
  | 'email'
  | 'campaign'
  | 'tooLong'
  | 'noResult'
export type GiftFaults = Readonly<Record<string, GiftFault>>

export interface GiftValues {
  readonly amount_minor: number
  readonly currency: string
  readonly fund: Fund
  readonly method: Method
  readonly received_at: string
  readonly status: 'succeeded'
  readonly is_anonymous: boolean
  readonly donor_name: string | null
  readonly donor_email: string | null
  readonly campaign_id: string | null
  readonly reference: string | null
}

/** A gift counts for its day, whatever the hour; one of today was not received later than now. */
const noonOf = (day: string, timezone: string): Date | undefined => instantOf(`${day}T12:00`, timezone)
const receivedOn = (noon: Date, now: Date): string => (noon < now ? noon : now).toISOString()

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

const giverFaults = ({ giver, name, email }: GiftForm): GiftFaults => {
  if (giver === 'anonymous') return {}
  if (giver !== '' && giver !== 'named') return { giver: 'giver' }
  if (name === '' && email === '') return { name: 'giver' }
  return email === '' || isEmail(email) ? {} : { email: 'email' }
}

const dayFault = (day: string, timezone: string, now: Date): GiftFaults => {
  if (noonOf(day, timezone) === undefined) return { day: 'day' }
  return day > localDateAt(now, timezone) ? { day: 'future' } : {}
}

export interface Around {
  readonly timezone: string
  readonly now: Date
  /** Ids of the campaigns a gift can go to, and their currencies. */
  readonly campaigns: ReadonlyMap<string, string>
}

const campaignFault = ({ campaign, currency }: GiftForm, campaigns: Around['campaigns']): GiftFaults =>
  campaign === '' || campaigns.get(campaign) === currency ? {} : { campaign: 'campaign' }

export const checkGift = (
  form: GiftForm,
  { timezone, now, campaigns }: Around,
): { readonly values: GiftValues } | { readonly faults: GiftFaults } => {
  const currency = form.currency.toUpperCase()
  const known = isCurrency(currency)
  const minor = known ? readAmount(form.amount, currency) : undefined
  const fund = funds.find(name => name === form.fund)
  const method = enteredMethods.find(name => name === form.method)
  const faults: GiftFaults = {
    ...(known ? (minor === undefined ? { amount: 'amount' } : {}) : { currency: 'currency' }),
    ...(fund === undefined ? { fund: 'fund' } : {}),
    ...(method === undefined ? { method: 'method' } : {}),
    ...dayFault(form.day, timezone, now),
    ...giverFaults(form),
    ...campaignFault({ ...form, currency }, campaigns),
    ...(form.name.length > 200 ? { name: 'tooLong' } : {}),
    ...(form.reference.length > 100 ? { reference: 'tooLong' } : {}),
  }
  const received = noonOf(form.day, timezone)
  if (
    Object.keys(faults).length > 0 ||
    minor === undefined ||
    fund === undefined ||
    method === undefined ||
    received === undefined
  )
    return { faults }
  const isAnonymous = form.giver === 'anonymous'
  return {
    values: {
      amount_minor: minor,
      currency,
      fund,
      method,
      received_at: receivedOn(received, now),
      status: 'succeeded',
      is_anonymous: isAnonymous,
      donor_name: isAnonymous || form.name === '' ? null : form.name,
      donor_email: isAnonymous || form.email === '' ? null : form.email.toLowerCase(),
      campaign_id: form.campaign || null,
      reference: form.reference || null,
    },
  }
}

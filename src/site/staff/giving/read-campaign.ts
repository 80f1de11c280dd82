// The form of a campaign as typed → what is written, or what is wrong with it.
import { isDate } from '../../../base/civil-date.ts'
import { isCurrency, readAmount, typedAmount } from '../../../giving/money.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { notOffered } from '../not-offered.ts'
import { type Campaign, campaignStates } from './campaign.ts'
import { funds } from './gift.ts'

const names = ['title', 'description', 'fund', 'goal', 'currency', 'starts', 'ends', 'status', 'version'] as const
export type CampaignForm = Readonly<Record<(typeof names)[number], string>>

export const readCampaignForm = (form: Pick<FormValues, 'text'>): CampaignForm =>
  Object.fromEntries(names.map(name => [name, form.text(name).slice(0, 5000)])) as CampaignForm

export const emptyCampaign = (currency: string, today: string): CampaignForm => ({
  title: '',
  description: '',
  fund: 'general',
  goal: '',
  currency,
  starts: today,
  ends: '',
  status: 'active',
  version: '',
})

export const campaignForm = (campaign: Campaign): CampaignForm => ({
  title: campaign.title,
  description: campaign.description,
  fund: campaign.fund,
  goal: campaign.goal_minor === null ? '' : typedAmount(campaign.goal_minor, campaign.currency),
  currency: campaign.currency,
  starts: campaign.starts_on,
  ends: campaign.ends_on ?? '',
  status: campaign.status,
  version: String(campaign.version),
})

type CampaignFault = 'title' | 'tooLong' | 'fund' | 'amount' | 'currency' | 'day' | 'endsTooEarly' | 'notOffered'
export type CampaignFaults = Readonly<Record<string, CampaignFault>>

const periodFaults = ({ starts, ends }: CampaignForm): CampaignFaults => ({
  ...(isDate(starts) ? {} : { starts: 'day' }),
  ...(ends !== '' && !isDate(ends) ? { ends: 'day' } : {}),
  ...(isDate(starts) && isDate(ends) && ends < starts ? { ends: 'endsTooEarly' } : {}),
})

/** Gifts are in the campaign's currency, so it is chosen once. */
export const checkCampaign = (form: CampaignForm, stored?: Campaign) => {
  const currency = form.currency.toUpperCase()
  const known = isCurrency(currency)
  const goal = form.goal === '' || !known ? undefined : readAmount(form.goal, currency)
  const faults: CampaignFaults = {
    ...(form.title === '' ? { title: 'title' } : form.title.length > 200 ? { title: 'tooLong' } : {}),
    ...(known ? {} : { currency: 'currency' }),
    ...(funds.some(fund => fund === form.fund) ? {} : { fund: 'fund' }),
    ...(known && form.goal !== '' && goal === undefined ? { goal: 'amount' } : {}),
    ...periodFaults(form),
    ...notOffered(form, { status: ['', ...campaignStates] }, { ...stored }),
  }
  const values = {
    title: form.title,
    description: form.description,
    fund: form.fund,
    goal_minor: goal ?? null,
    starts_on: form.starts,
    ends_on: form.ends || null,
    status: form.status || 'active',
  }
  return { faults, values, currency }
}

// Campaigns: list, create, edit, close.
import { localDateAt } from '../../../base/local-time.ts'
import { usualCurrency } from '../../../giving/giving-totals.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { ask, read } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { doneWords, idIn, REFUSED, versionOf } from '../form-steps.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { CAMPAIGN, CAMPAIGNS, type Campaign, CHANGE, START } from './campaign.ts'
import { campaignPage, campaignsPage } from './campaign-pages.ts'
import { campaignForm, checkCampaign, emptyCampaign, readCampaignForm } from './read-campaign.ts'

const showList = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const variables = { masjid: masjid.id }
  const { campaigns } = await read<{ campaigns: Campaign[] }>(graphql, visit, { query: CAMPAIGNS, variables })
  const { words } = doneWords(visit, visit.view.texts.staffGiving.done)
  return showPage(campaignsPage(visit.view, { masjid, campaigns, done: words }))
}

const showNew = async ({ database }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const currency = (await usualCurrency(database, masjid.id)) ?? ''
  const values = emptyCampaign(currency, localDateAt(new Date(), masjid.timezone))
  return showPage(campaignPage(visit.view, { masjid, id: undefined, values }))
}

const acceptNew = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const values = readCampaignForm(visit.form)
  const shown = { masjid, id: undefined, values }
  const checked = checkCampaign(values)
  if (Object.keys(checked.faults).length > 0)
    return showPage(campaignPage(visit.view, { ...shown, faults: checked.faults }), REFUSED)
  const object = { ...checked.values, currency: checked.currency, masjid_id: masjid.id }
  const written = await ask(graphql, visit, { query: START, variables: { object } })
  if ('refused' in written)
    return showPage(campaignPage(visit.view, { ...shown, refusal: written.refused.message }), REFUSED)
  return redirectTo(`${staffPath(masjid, 'giving/campaigns')}?done=campaign`)
}

/** Campaigns of other masjids do not exist here. */
const findOne = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Campaign> => {
  const variables = { masjid: masjid.id, id: idIn(visit) }
  const { campaigns } = await read<{ campaigns: Campaign[] }>(graphql, visit, { query: CAMPAIGN, variables })
  const [campaign] = campaigns
  if (campaign === undefined) throw notFound()
  return campaign
}

const showOne = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const campaign = await findOne(parts, here)
  const { masjid, visit } = here
  return showPage(campaignPage(visit.view, { masjid, id: campaign.id, values: campaignForm(campaign) }))
}

const acceptOne = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const campaign = await findOne(parts, here)
  const values = { ...readCampaignForm(visit.form), currency: campaign.currency }
  const shown = { masjid, id: campaign.id, values }
  const checked = checkCampaign(values, campaign)
  if (Object.keys(checked.faults).length > 0)
    return showPage(campaignPage(visit.view, { ...shown, faults: checked.faults }), REFUSED)
  const variables = { id: campaign.id, set: checked.values, version: versionOf(values.version) }
  const written = await ask(parts.graphql, visit, { query: CHANGE, variables })
  if (!('refused' in written)) return redirectTo(`${staffPath(masjid, 'giving/campaigns')}?done=campaign`)
  const { code, message } = written.refused
  // What was typed stays; saving again is then on top of the newer one.
  const now = { ...values, version: String(campaign.version) }
  const refusal = code === 'conflict' ? visit.view.texts.staffGiving.conflict : message
  return showPage(campaignPage(visit.view, { ...shown, values: now, refusal }), REFUSED)
}

export const addCampaignRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'giving')
  const base = '/staff/:slug/giving/campaigns'
  routes.getSignedIn(base, here(showList))
  routes.getSignedIn(`${base}/new`, here(showNew))
  routes.postSignedIn(`${base}/new`, here(acceptNew))
  routes.getSignedIn(`${base}/:id`, here(showOne))
  routes.postSignedIn(`${base}/:id`, here(acceptOne))
}

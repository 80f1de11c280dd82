// Campaigns as the API has them, and the documents that read and write them.
import type { Fund } from './gift.ts'

export const campaignStates = ['planned', 'active', 'completed', 'cancelled'] as const
type CampaignState = (typeof campaignStates)[number]

export interface Campaign {
  readonly id: string
  readonly version: number
  readonly title: string
  readonly description: string
  readonly fund: Fund
  readonly goal_minor: number | null
  readonly raised_minor: number
  readonly currency: string
  readonly starts_on: string
  readonly ends_on: string | null
  readonly status: CampaignState
}

const FIELDS = 'id version title description fund goal_minor raised_minor currency starts_on ends_on status'

export const CAMPAIGNS = `query Campaigns($masjid: uuid!) {
  campaigns: ua_campaigns(where: {masjid_id: {_eq: $masjid}}, order_by: [{starts_on: desc}, {id: asc}], limit: 100) { ${FIELDS} }
}`

export const OPEN_CAMPAIGNS = `query OpenCampaigns($masjid: uuid!) {
  campaigns: ua_campaigns(where: {masjid_id: {_eq: $masjid}, status: {_eq: active}}, order_by: [{title: asc}, {id: asc}], limit: 100) {
    ${FIELDS}
  }
}`

export const CAMPAIGN = `query Campaign($masjid: uuid!, $id: uuid!) {
  campaigns: ua_campaigns(where: {masjid_id: {_eq: $masjid}, id: {_eq: $id}}) { ${FIELDS} }
}`

export const START = `mutation Start($object: ua_campaigns_insert_input!) { written: insert_ua_campaigns_one(object: $object) { id } }`

export const CHANGE = `mutation Change($id: uuid!, $set: ua_campaigns_set_input!, $version: bigint!) {
  written: update_ua_campaigns_by_pk(pk_columns: {id: $id}, _set: $set, if_version: $version) { id }
}`

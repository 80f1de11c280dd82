// A household as the API has it, and the documents that read and write households.
import type { MemberStatus, NamedMember } from './person.ts'

export interface HouseholdValues {
  readonly name: string
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly postal_code: string | null
}

export interface Household extends HouseholdValues {
  readonly id: string
  readonly version: number
  readonly members: readonly (NamedMember & { readonly id: string; readonly status: MemberStatus })[]
}

const HOUSEHOLD = `id version name address city state postal_code
  members(order_by: [{given_name: asc}, {id: asc}], limit: 100) { id given_name family_name status }`

export const HOUSEHOLDS_A_PAGE = 50

export const LIST_HOUSEHOLDS = `query Households($where: ua_households_bool_exp!, $skip: Int!) {
  households: ua_households(
    where: $where, order_by: [{name: asc}, {id: asc}], limit: ${HOUSEHOLDS_A_PAGE + 1}, offset: $skip
  ) { ${HOUSEHOLD} }
}`

export const ONE_HOUSEHOLD = `query Household($masjid: uuid!, $id: uuid!) {
  households: ua_households(where: {masjid_id: {_eq: $masjid}, id: {_eq: $id}}) { ${HOUSEHOLD} }
}`

export const CREATE_HOUSEHOLD = `mutation Create($object: ua_households_insert_input!) {
  written: insert_ua_households_one(object: $object) { id }
}`

export const CHANGE_HOUSEHOLD = `mutation Change($id: uuid!, $set: ua_households_set_input!, $version: bigint!) {
  written: update_ua_households_by_pk(pk_columns: {id: $id}, _set: $set, if_version: $version) { id }
}`

export const DELETE_HOUSEHOLD = 'mutation Delete($id: uuid!) { written: delete_ua_households_by_pk(id: $id) { id } }'

export const RESTORE_HOUSEHOLD =
  'mutation Restore($id: uuid!) { written: restore_ua_households_by_pk(id: $id) { id masjid_id } }'

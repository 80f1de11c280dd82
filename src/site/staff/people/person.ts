// A member of a masjid as the API has them, and the documents that read and write members.

export const statuses = ['active', 'pending', 'inactive', 'deceased'] as const
export type MemberStatus = (typeof statuses)[number]
type MemberRole = 'member' | 'volunteer' | 'imam' | 'board' | 'admin'

export interface MemberValues {
  readonly given_name: string
  readonly family_name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly joined_on: string
  readonly status: MemberStatus
}

export interface Member extends MemberValues {
  readonly id: string
  readonly version: number
  readonly role: MemberRole
  readonly user_id: string | null
  readonly consent_api_sharing: boolean
  readonly consent_at: string | null
  readonly household: { readonly id: string; readonly name: string } | null
}

export type NamedMember = Pick<Member, 'given_name' | 'family_name'>

export const nameOf = ({ given_name, family_name }: NamedMember): string =>
  [given_name, family_name].filter(Boolean).join(' ')

const MEMBER = `id version given_name family_name email phone joined_on status role user_id consent_api_sharing consent_at
  household { id name }`

/** One more than a page, to know whether there is another. */
export const PEOPLE_A_PAGE = 50

export const LIST = `query People($where: ua_members_bool_exp!, $skip: Int!) {
  people: ua_members(
    where: $where, order_by: [{given_name: asc}, {family_name: asc}, {id: asc}], limit: ${PEOPLE_A_PAGE + 1}, offset: $skip
  ) { ${MEMBER} }
}`

export const ONE = `query Person($masjid: uuid!, $id: uuid!) {
  people: ua_members(where: {masjid_id: {_eq: $masjid}, id: {_eq: $id}}) { ${MEMBER} }
}`

export const CREATE = `mutation Create($object: ua_members_insert_input!) {
  written: insert_ua_members_one(object: $object) { id }
}`

export const CHANGE = `mutation Change($id: uuid!, $set: ua_members_set_input!, $version: bigint!) {
  written: update_ua_members_by_pk(pk_columns: {id: $id}, _set: $set, if_version: $version) { id }
}`

export const MOVE = `mutation Move($id: uuid!, $household: uuid) {
  written: update_ua_members_by_pk(pk_columns: {id: $id}, _set: {household_id: $household}) { id }
}`

export const DELETE = 'mutation Delete($id: uuid!) { written: delete_ua_members_by_pk(id: $id) { id } }'

export const RESTORE = 'mutation Restore($id: uuid!) { written: restore_ua_members_by_pk(id: $id) { id masjid_id } }'

// Gifts and campaigns as the API has them, and the documents that read and write them.

export const funds = ['general', 'zakat', 'zakat_al_fitr', 'sadaqah', 'waqf', 'building', 'education'] as const
export type Fund = (typeof funds)[number]

/** How a gift reaches a masjid without us: cards and wallets are the business of a payment service. */
export const enteredMethods = ['cash', 'bank_transfer', 'cheque', 'direct_debit'] as const
export type Method = (typeof enteredMethods)[number] | 'card' | 'wallet'

interface Member {
  readonly id: string
  readonly given_name: string
  readonly family_name: string | null
  readonly email: string | null
}

export interface Gift {
  readonly id: string
  readonly amount_minor: number
  readonly refunded_minor: number
  readonly currency: string
  readonly fund: Fund
  readonly method: Method
  readonly received_at: string
  readonly is_anonymous: boolean
  readonly donor_name: string | null
  readonly donor_email: string | null
  readonly reference: string | null
  readonly reverses_donation_id: string | null
  readonly member: Member | null
  readonly campaign: { readonly title: string } | null
  readonly reversals: readonly { readonly amount_minor: number }[]
}

export const GIFTS_A_PAGE = 50

const FIELDS = `id amount_minor refunded_minor currency fund method received_at is_anonymous donor_name donor_email reference
  reverses_donation_id member { id given_name family_name email } campaign { title } reversals { amount_minor }`

const IN_YEAR = 'received_at: {_gte: $from, _lt: $to}, status: {_in: [succeeded, refunded]}'

export const LIST = `query Gifts($masjid: uuid!, $from: timestamptz!, $to: timestamptz!, $skip: Int!) {
  gifts: ua_donations(where: {masjid_id: {_eq: $masjid}, ${IN_YEAR}}, order_by: [{received_at: desc}, {id: asc}],
    limit: ${GIFTS_A_PAGE + 1}, offset: $skip) { ${FIELDS} }
}`

export const ONE = `query Gift($masjid: uuid!, $id: uuid!) {
  gifts: ua_donations(where: {masjid_id: {_eq: $masjid}, id: {_eq: $id}}) { ${FIELDS} }
}`

export const RECORD = `mutation Record($objects: [ua_donations_insert_input!]!) {
  written: insert_ua_donations(objects: $objects) { affected_rows }
}`

export const KNOWN_REFERENCES = `query Known($masjid: uuid!, $references: [String!]!) {
  known: ua_donations(where: {masjid_id: {_eq: $masjid}, reference: {_in: $references}}, limit: 100) { reference }
}`

export const WITHOUT_REFERENCE = `query WithoutReference($masjid: uuid!, $from: timestamptz!, $to: timestamptz!, $skip: Int!) {
  gifts: ua_donations(where: {masjid_id: {_eq: $masjid}, received_at: {_gte: $from, _lte: $to}, reference: {_is_null: true},
      reverses_donation_id: {_is_null: true}}, order_by: [{received_at: asc}, {id: asc}], limit: 100, offset: $skip) {
    received_at amount_minor currency donor_name donor_email
  }
}`

/** One row for each giver who is named. */
export const GIVERS = `query Givers($masjid: uuid!, $from: timestamptz!, $to: timestamptz!, $skip: Int!) {
  givers: ua_donations(
    where: {masjid_id: {_eq: $masjid}, ${IN_YEAR}, is_anonymous: {_eq: false},
      _or: [{member_id: {_is_null: false}}, {donor_email: {_is_null: false}}]}
    distinct_on: [member_id, donor_email], order_by: [{member_id: asc}, {donor_email: asc}, {received_at: desc}, {id: asc}]
    limit: ${GIFTS_A_PAGE + 1}, offset: $skip
  ) { id donor_name donor_email member { id given_name family_name email } }
}`

export type Giver = Pick<Gift, 'id' | 'donor_name' | 'donor_email' | 'member'>

/** As many as a list returns at most. */
export const RECEIPT_ROWS = 100

const receipt = (
  giver: string,
): string => `query Receipt($masjid: uuid!, $from: timestamptz!, $to: timestamptz!, $giver: ${giver}, $skip: Int!) {
  gifts: ua_donations(where: {masjid_id: {_eq: $masjid}, ${IN_YEAR}, is_anonymous: {_eq: false},
      ${giver === 'uuid!' ? 'member_id: {_eq: $giver}' : 'member_id: {_is_null: true}, donor_email: {_eq: $giver}'}}
    order_by: [{received_at: asc}, {id: asc}], limit: ${RECEIPT_ROWS}, offset: $skip) { ${FIELDS} }
  masjid: up_masjids_by_pk(id: $masjid) { name name_ar address city state postal_code country phone email
    entity { legal_name registration_no } }
}`
export const RECEIPT_OF_MEMBER = receipt('uuid!')
export const RECEIPT_OF_GUEST = receipt('String!')

export interface ReceiptMasjid {
  readonly name: string
  readonly name_ar: string | null
  readonly address: string
  readonly city: string
  readonly state: string | null
  readonly postal_code: string | null
  readonly country: string
  readonly phone: string | null
  readonly email: string | null
  readonly entity: { readonly legal_name: string; readonly registration_no: string | null } | null
}

export const MEMBER = `query Member($masjid: uuid!, $email: String!) {
  members: ua_members(where: {masjid_id: {_eq: $masjid}, email: {_eq: $email}}, limit: 1) { id }
}`

/** Reversals and refunds are already taken off. */
export const restOf = ({ amount_minor, refunded_minor, reversals }: Gift): number =>
  amount_minor - refunded_minor + reversals.reduce((sum, reversal) => sum + reversal.amount_minor, 0)

export const nameOf = ({
  member,
  donor_name,
  donor_email,
}: Pick<Gift, 'member' | 'donor_name' | 'donor_email'>): string =>
  member === null
    ? (donor_name ?? donor_email ?? '')
    : [member.given_name, member.family_name].filter(Boolean).join(' ')

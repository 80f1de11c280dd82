// The people of a masjid → a CSV file, read piece by piece with the rights of whoever exports.
import { type Cell, writeCsvRow } from '../../../base/csv-text.ts'
import { NIL_UUID } from '../../../base/uuid.ts'
import type { Engine } from '../../../graphql/create-graphql.ts'
import { read } from '../ask.ts'
import type { StaffVisit } from '../at-masjid.ts'
import type { HouseholdValues } from './household.ts'
import type { Member } from './person.ts'

/** As many as a list of the API returns at once. */
const ROWS_AT_A_TIME = 100
const MOST_EXPORTED = 100_000
const LONGEST_MS = 300_000

type ExportedMember = Omit<Member, 'household'> & { readonly household: HouseholdValues | null }

const EXPORT = `query Export($masjid: uuid!, $after: uuid!) {
  people: ua_members(where: {masjid_id: {_eq: $masjid}, id: {_gt: $after}}, order_by: [{id: asc}], limit: ${ROWS_AT_A_TIME}) {
    id given_name family_name email phone status role joined_on consent_api_sharing consent_at
    household { name address city state postal_code }
  }
}`

const columns: readonly (readonly [string, (member: ExportedMember) => Cell])[] = [
  ['given_name', member => member.given_name],
  ['family_name', member => member.family_name],
  ['email', member => member.email],
  ['phone', member => member.phone],
  ['status', member => member.status],
  ['role', member => member.role],
  ['joined_on', member => member.joined_on],
  ['household', member => member.household?.name ?? null],
  ['address', member => member.household?.address ?? null],
  ['postal_code', member => member.household?.postal_code ?? null],
  ['city', member => member.household?.city ?? null],
  ['state', member => member.household?.state ?? null],
  ['agreed_to_sharing', member => (member.consent_api_sharing ? 'yes' : 'no')],
  ['agreed_at', member => member.consent_at],
  ['id', member => member.id],
]

/** Spreadsheets read UTF-8 only if the file says so. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Each batch is a statement of its own: a slow reader holds no connection. */
export async function* exportPeople(graphql: Engine, { visit, masjid }: StaffVisit): AsyncGenerator<string> {
  const end = performance.now() + LONGEST_MS
  yield BYTE_ORDER_MARK + writeCsvRow(columns.map(([name]) => name))
  let after = NIL_UUID
  for (let left = MOST_EXPORTED; left > 0; left -= ROWS_AT_A_TIME) {
    if (performance.now() > end) throw new Error('The export took too long.')
    const variables = { masjid: masjid.id, after }
    const { people } = await read<{ people: ExportedMember[] }>(graphql, visit, { query: EXPORT, variables })
    yield people.map(member => writeCsvRow(columns.map(([, cell]) => cell(member)))).join('')
    if (people.length < ROWS_AT_A_TIME) return
    after = people.at(-1)?.id ?? after
  }
}

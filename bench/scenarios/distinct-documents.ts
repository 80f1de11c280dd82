// Many different documents, as many clients would send: each selects different fields.

interface Field {
  readonly ours: string
  readonly postgraphile: string
}

const fields: readonly Field[] = [
  ['name', 'name'],
  ['city', 'city'],
  ['state', 'state'],
  ['address', 'address'],
  ['postal_code', 'postalCode'],
  ['country', 'country'],
  ['latitude', 'latitude'],
  ['longitude', 'longitude'],
  ['timezone', 'timezone'],
  ['phone', 'phone'],
].map(([ours = '', postgraphile = '']) => ({ ours, postgraphile }))

/** The bits of a number select the fields: 1,023 non-empty selections. */
const chosen = (number: number): readonly Field[] => fields.filter((_, index) => ((number + 1) >> index) & 1)

export const ourDocument = (number: number): string =>
  `query Q${number}($id: uuid!) { up_masjids_by_pk(id: $id) { id ${chosen(number)
    .map(({ ours }) => ours)
    .join(' ')} } }`

export const postgraphileDocument = (number: number): string =>
  `query Q${number}($id: UUID!) { upMasjidByRowId(rowId: $id) { rowId ${chosen(number)
    .map(({ postgraphile }) => postgraphile)
    .join(' ')} } }`

/** PostGraphile caches 500 operations by default. */
export const WITHIN_CACHES = 400
export const BEYOND_CACHES = 1000

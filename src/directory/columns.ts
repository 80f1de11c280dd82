// The columns of up_masjids that a directory can fill, and how each is read. What decides is the table: its types and rules are read from
// the database, and its rules are tried on each row before it is written.

export type Kind = 'text' | 'number' | 'integer' | 'small' | 'choice' | 'choices' | 'words' | 'object'

export interface Column {
  readonly name: string
  readonly kind: Kind
  /** Without it there is no masjid. */
  readonly required?: true
  /** What stands for nothing where the table wants something. */
  readonly otherwise?: unknown
  /** What a rule of the table wants, as the end of "NAME is not …". */
  readonly must?: string
}

/** Everything else is decided here: who verifies it, its name in addresses, the legal body behind it. */
export const columns: readonly Column[] = [
  { name: 'name', kind: 'text', required: true, must: 'one line of at most 200 characters' },
  { name: 'name_ar', kind: 'text', must: 'one line of at most 200 characters' },
  { name: 'address', kind: 'text', required: true, must: 'at most 500 characters' },
  { name: 'city', kind: 'text', required: true, must: 'one line of at most 200 characters' },
  { name: 'state', kind: 'text', must: 'at most 200 characters' },
  { name: 'postal_code', kind: 'text', must: 'at most 50 characters' },
  { name: 'country', kind: 'text', required: true, must: 'two capital letters of ISO 3166-1' },
  { name: 'latitude', kind: 'number', required: true, must: 'from -90 to 90' },
  { name: 'longitude', kind: 'number', required: true, must: 'from -180 to 180' },
  { name: 'timezone', kind: 'text', must: 'a time zone of the IANA database' },
  { name: 'calculation_method', kind: 'choice', must: 'given the angles that belong to it' },
  { name: 'madhab', kind: 'choice', otherwise: 'shafi' },
  { name: 'high_latitude_rule', kind: 'choice' },
  { name: 'fajr_angle', kind: 'number', must: 'from 9 to 22' },
  { name: 'isha_angle', kind: 'number', must: 'from 9 to 22' },
  { name: 'isha_minutes', kind: 'small', must: 'from 30 to 180' },
  { name: 'maghrib_angle', kind: 'number', must: 'from 1 to 8' },
  { name: 'adjustments', kind: 'object', otherwise: {}, must: 'minutes by name of prayer, such as {"fajr": 2}' },
  { name: 'languages', kind: 'words', otherwise: [], must: 'a list of BCP 47 tags' },
  { name: 'facilities', kind: 'choices', otherwise: [] },
  { name: 'capacity', kind: 'integer', must: 'above 0' },
  { name: 'phone', kind: 'text', must: 'a telephone number' },
  { name: 'email', kind: 'text', must: 'an e-mail address' },
  { name: 'website', kind: 'text', must: 'an address that begins with https://' },
]

export const columnNames: readonly string[] = columns.map(({ name }) => name)

/** Enums of the database, by column. */
export type Choices = ReadonlyMap<string, ReadonlySet<string>>

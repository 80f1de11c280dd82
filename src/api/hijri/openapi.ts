// The parameters of `/v1/hijri` → its part of the OpenAPI document.
import { calculatedAuthorities } from '../../hijri/authority.ts'
import { occasionNames } from '../../hijri/next-days.ts'
import { dayParameters, MOST_COUNT, nextParameters } from '../../hijri/parameters.ts'
import { MOST_DAYS } from '../../place-times/parameters.ts'
import { AUTHORITIES_PATH, DAYS_PATH, NEXT_PATH } from './paths.ts'

type Schema = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }
const date = { type: 'string', format: 'date' }
const hijriDate = { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}$`, examples: ['1448-09-01'] }
const integer = { type: 'integer' }

const schemas: Readonly<Record<string, Schema>> = {
  date,
  from: date,
  to: date,
  hijri: hijriDate,
  day: { type: 'string', enum: occasionNames },
  count: { type: 'integer', minimum: 1, maximum: MOST_COUNT },
  authority: { type: 'string', examples: calculatedAuthorities },
}

const parametersOf = (described: Readonly<Record<string, string>>) =>
  Object.entries(described).map(([name, description]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: schemas[name] ?? text,
  }))

const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

const authority = {
  authority: { type: 'string', description: 'Whose calendar: a calculated one, or the id of an authority.' },
  authority_name: { ...textOrNull, description: 'The name of an authority that announces months.' },
  masjid: { ...textOrNull, description: 'The slug of the masjid whose calendar it is.' },
  adjustment: { ...integer, description: 'By how many days the masjid shifts months that nobody announced.' },
}

const decidedBy = {
  type: 'string',
  enum: ['calculated', 'authority', 'masjid'],
  description: 'Who said when the month begins.',
}

const day = object({
  date,
  hijri: hijriDate,
  year: integer,
  month: integer,
  day: integer,
  month_name: object({ en: text, ar: text }),
  month_begins: date,
  month_days: { type: ['integer', 'null'], description: '29 or 30.' },
  decided_by: decidedBy,
})

const occurrence = object({
  day: { type: 'string', enum: occasionNames },
  first: date,
  last: date,
  hijri_first: hijriDate,
  hijri_last: hijriDate,
  under_way: { type: 'boolean', description: 'It began on the day from which one looks ahead, or before.' },
  decided_by: decidedBy,
})

export const hijriSchemas = {
  HijriDays: object({ ...authority, days: { type: 'array', maxItems: MOST_DAYS, items: day } }),
  NextDays: object({ ...authority, from: date, occurrences: { type: 'array', items: occurrence } }),
  HijriAuthorities: object({
    authorities: {
      type: 'array',
      items: object({ id: { type: 'string', format: 'uuid' }, name: text, country: textOrNull, website: textOrNull }),
    },
  }),
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters: Readonly<Record<string, string>>
  readonly schema: keyof typeof hijriSchemas
}

/** @param refusals the responses that every path has */
const pathOf = ({ operationId, summary, parameters, schema }: Described, refusals: Schema): Schema => ({
  get: {
    operationId,
    summary,
    parameters: parametersOf(parameters),
    responses: {
      200: {
        description: 'The date is that of the daylight: a hijri day begins at the sunset before.',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
      },
      ...refusals,
    },
  },
})

export const hijriPaths = (refusals: Schema): Schema => ({
  [DAYS_PATH]: pathOf(
    {
      operationId: 'hijri',
      summary: 'Hijri dates of days, or the day of a hijri date',
      parameters: dayParameters,
      schema: 'HijriDays',
    },
    refusals,
  ),
  [NEXT_PATH]: pathOf(
    {
      operationId: 'nextDays',
      summary: 'When Ramadan, the Eids and other days come next',
      parameters: nextParameters,
      schema: 'NextDays',
    },
    refusals,
  ),
  [AUTHORITIES_PATH]: pathOf(
    {
      operationId: 'hijriAuthorities',
      summary: 'Authorities that announce months',
      parameters: {},
      schema: 'HijriAuthorities',
    },
    refusals,
  ),
})

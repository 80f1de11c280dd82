// The parameters of `/v1/times` → the OpenAPI document of everything that is asked without a credential, for code generators and people.
import { timeNames } from '../../place-times/calculate-place.ts'
import {
  adjustedPrayers,
  FIRST_DATE,
  LAST_DATE,
  MOST_DAYS,
  type ParameterName,
  type PlaceParameter,
  placeParameters,
} from '../../place-times/parameters.ts'
import { hijriPaths, hijriSchemas } from '../hijri/openapi.ts'
import { formats } from './media.ts'

type Schema = Readonly<Record<string, unknown>>

const schemaOf = (parameter: PlaceParameter): Schema => {
  switch (parameter.kind) {
    case 'number':
      return { type: 'number', minimum: parameter.least, maximum: parameter.most }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'zone':
      return { type: 'string', examples: ['Europe/Oslo'] }
    case 'name':
      return { type: 'string', enum: parameter.names }
    case 'adjustments':
      return {
        type: 'string',
        pattern: `^((${adjustedPrayers.join('|')}):-?\\d{1,2})(,|$)`,
        examples: ['fajr:2,isha:-3'],
      }
  }
}

const needed: readonly ParameterName[] = ['latitude', 'longitude']

const parameters = [
  ...Object.entries(placeParameters).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: needed.includes(name as ParameterName),
    description: parameter.description,
    schema: schemaOf(parameter),
  })),
  {
    name: 'format',
    in: 'query',
    required: false,
    description: 'How the answer is written; by the header Accept if left out, otherwise JSON.',
    schema: { type: 'string', enum: formats.map(({ name }) => name) },
  },
]

const instant = { type: ['string', 'null'], format: 'date-time' }

const moved = {
  type: 'object',
  description: 'The times that a rule moved away from where the sun puts them, and the rule.',
  additionalProperties: { type: 'string' },
}

const day = {
  type: 'object',
  required: ['date', ...timeNames, 'hijri', 'is_ramadan', 'moved'],
  properties: {
    date: { type: 'string', format: 'date' },
    ...Object.fromEntries(timeNames.map(name => [name, instant])),
    hijri: { type: 'string', description: 'The hijri date of the daylight, by the Umm al-Qura calendar.' },
    is_ramadan: { type: 'boolean' },
    moved,
  },
}

const times = {
  type: 'object',
  required: ['time_zone', 'method', 'parameters', 'qibla', 'days'],
  properties: {
    time_zone: { type: 'string' },
    country: {
      type: ['string', 'null'],
      description: 'The country whose method was taken, where none was asked for and it has one of its own.',
    },
    method: { type: 'string', enum: placeParameters.method.names },
    parameters: { type: 'object', description: 'Everything that the times were calculated with.' },
    qibla: { type: 'number', description: 'Degrees from north, clockwise, along the great circle.' },
    days: { type: 'array', maxItems: MOST_DAYS, items: day },
  },
}

const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } }

const refusals = {
  304: { description: 'What If-None-Match names is still right.' },
  400: { description: 'A parameter that cannot be read; the sentence names it.', content: problem },
  429: { description: 'Too many requests from this address. Try again after Retry-After seconds.', content: problem },
}

const contentOf = (contentType: string): string => contentType.split(';')[0] as string

export const openApiDocument = (url: string): Schema => ({
  openapi: '3.1.0',
  info: {
    title: 'Minaret: times for a place, and hijri dates',
    version: '1',
    description: `Prayer times for coordinates, of any day from ${FIRST_DATE} to ${LAST_DATE}. No credential is needed.`,
  },
  servers: [{ url }],
  paths: {
    '/v1/times': {
      get: {
        operationId: 'times',
        summary: 'Prayer times of a place',
        parameters,
        responses: {
          200: {
            description: 'The times of each day. A day that the place left out of its calendar is left out here.',
            content: Object.fromEntries(
              formats.map(({ name, contentType }) => [
                contentOf(contentType),
                { schema: name === 'json' ? { $ref: '#/components/schemas/Times' } : { type: 'string' } },
              ]),
            ),
          },
          ...refusals,
        },
      },
    },
    ...hijriPaths({ ...refusals, 404: { description: 'There is no such authority or masjid.', content: problem } }),
  },
  components: {
    schemas: {
      ...hijriSchemas,
      Times: times,
      Problem: {
        type: 'object',
        required: ['error', 'error_description'],
        properties: { error: { type: 'string' }, error_description: { type: 'string' } },
      },
    },
  },
})

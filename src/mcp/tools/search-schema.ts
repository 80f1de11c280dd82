// search_schema: a question → the few tables that fit it, with their fields: enough to write a query, never the whole schema.
import MiniSearch from 'minisearch'
import * as z from 'zod'
import { fewWords } from '../../base/few-words.ts'
import type { Model, Table, TableFunction } from '../../catalog/model.ts'
import { defineTool } from '../tool.ts'
import { shorten } from '../words.ts'

const MOST_FIELDS = 40

const input = z.strictObject({
  question: z.string().min(2).max(300).describe('What you want to know, in a few words.'),
  limit: z.int().min(1).max(6).optional().describe('How many tables to return; 3 if left out.'),
})

const output = z.object({
  tables: z.array(
    z.object({
      name: z.string().describe('Also the root field that lists its rows, unless asked_by names others'),
      description: z.string(),
      asked_by: z
        .array(z.string())
        .optional()
        .describe('Root fields that return its rows, where it has no list of its own'),
      scopes: z.array(z.string()),
      fields: z.array(z.object({ name: z.string(), about: z.string().optional() })),
      relations: z.array(z.object({ name: z.string(), rows_of: z.string(), many: z.boolean() })),
    }),
  ),
  how_to_query: z.string(),
})

const HOW =
  'A list: { up_masjids(where: {city: {_eq: "Raleigh"}}, order_by: [{name: asc}], limit: 5) { name } }. Operators are those of Hasura: _eq, _in, _gt, _ilike, …'

const wordsOf = (table: Table): string =>
  [...table.columns.values()].map(({ name, description }) => `${name} ${description ?? ''}`).join(' ')

interface Indexed {
  readonly model: Model
  readonly search: MiniSearch
}

/** Underscores separate words. */
const tokenize = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const indexOf = (model: Model): Indexed => {
  const search = new MiniSearch({
    idField: 'name',
    fields: ['name', 'description', 'columns'],
    tokenize,
    searchOptions: { boost: { name: 4, description: 2 }, prefix: true, fuzzy: 0.2 },
  })
  search.addAll(
    [...model.tables.values()].map(table => ({
      name: table.name,
      description: table.description ?? '',
      columns: wordsOf(table),
    })),
  )
  return { model, search }
}

/** `pc_times_at(args: {latitude: Float!, …})` */
const callOf = ({ name, arguments: all }: TableFunction): string =>
  `${name}(args: {${all.map(({ name: argument, type, hasDefault }) => `${argument}: ${type.graphql}${hasDefault ? '' : '!'}`).join(', ')}})`

const askedBy = ({ functions }: Model, { name }: Table): readonly string[] =>
  [...functions.values()].filter(({ table }) => table === name).map(callOf)

const dataOf = (model: Model, table: Table) => ({
  name: table.name,
  description: shorten(table.description ?? ''),
  ...(table.calculated ? { asked_by: askedBy(model, table) } : {}),
  scopes: [...table.scopes],
  fields: [...table.columns.values()].slice(0, MOST_FIELDS).map(({ name, description }) => ({
    name,
    ...(description === undefined ? {} : { about: shorten(description, 120) }),
  })),
  relations: [...table.relations.values()].map(({ name, target, kind }) => ({
    name,
    rows_of: target,
    many: kind === 'array',
  })),
})

const lineOf = ({ name, description, asked_by: by, fields }: ReturnType<typeof dataOf>): string =>
  `${name}: ${description}${by === undefined ? '' : ` Asked by ${by.join(', ')}.`} Fields: ${fields.map(field => field.name).join(', ')}.`

/** One for each endpoint: the index is made again when the structure of the database changes. */
export const createSearchSchema = (currentModel: () => Model) => {
  let indexed: Indexed | undefined
  return defineTool({
    name: 'search_schema',
    title: 'Search the schema',
    description: 'The few tables of the API that fit a question, with their fields and relations, for use with query.',
    scopes: [],
    writes: false,
    input,
    output,
    run: async (_call, { question, limit = 3 }) => {
      const model = currentModel()
      if (indexed?.model !== model) indexed = indexOf(model)
      const found = indexed.search.search(question, { tokenize: text => fewWords(tokenize(text)) }).slice(0, limit)
      const tables = found.flatMap(({ id }) => {
        const table = model.tables.get(id as string)
        return table === undefined ? [] : [dataOf(model, table)]
      })
      return {
        words: tables.length === 0 ? 'No table fits. Use other words.' : [...tables.map(lineOf), HOW].join('\n'),
        data: { tables, how_to_query: HOW },
      }
    },
  })
}

// `minaret schema check`: what the API leaves out of the database, and why.
import { readingScopes } from '../access/scopes.ts'
import { type ExplainedSchema, explainSchema } from '../catalog/explain-schema.ts'
import { readerGroups } from '../db/roles.ts'
import { type Command, optionalText, UsageFault } from './command.ts'
import { withDatabase } from './with-database.ts'

const schemas = ['public', 'sandbox'] as const

const readSchema = (given: string | undefined): (typeof schemas)[number] => {
  const found = schemas.find(name => name === (given ?? 'public'))
  if (found === undefined) throw new UsageFault('--schema is public or sandbox.')
  return found
}

const describe = ({ tables, functions, relationships, writable, notShown }: ExplainedSchema): string =>
  [
    `Shown: ${tables.length} tables, ${functions.length} functions, ${relationships.length} relationships.`,
    writable.length === 0 ? 'No table can be written.' : `Writable: ${writable.join(', ')}.`,
    notShown.length === 0 ? 'Nothing is left out.' : `Not shown: ${notShown.length}.`,
    ...notShown.map(({ what, reason }) => `  ${what}: ${reason}`),
  ].join('\n')

export const schemaCheckCommand: Command = {
  name: 'schema check',
  summary: 'List each table, function and relationship that the API does not expose, and why.',
  usage: 'schema check [--schema public|sandbox] [--json]',
  options: { schema: { type: 'string' } },
  required: [],
  run: (options, config) => {
    const schema = readSchema(optionalText(options, 'schema'))
    return withDatabase(config, async database => {
      const explained = await explainSchema(database, {
        schema,
        reader: readerGroups[schema],
        knownScopes: readingScopes,
      })
      const { notShown, ...shown } = explained
      return { text: describe(explained), json: { schema, shown, not_shown: notShown } }
    })
  },
}

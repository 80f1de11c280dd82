// `minaret schema check`: what the API leaves out of the database, and why.
import { readingScopes } from '../access/scopes.ts'
import { type ExplainedSchema, explainSchema } from '../catalog/explain-schema.ts'
import { readerGroups } from '../db/roles.ts'
import { eraseFaults } from '../own-data/check-rules.ts'
import { readOwnTables } from '../own-data/read-tables.ts'
import { type Command, optionalText, UsageFault } from './command.ts'
import { withDatabase } from './with-database.ts'

const schemas = ['public', 'sandbox'] as const

const readSchema = (given: string | undefined): (typeof schemas)[number] => {
  const found = schemas.find(name => name === (given ?? 'public'))
  if (found === undefined) throw new UsageFault('--schema is public or sandbox.')
  return found
}

const describe = (
  { tables, functions, relationships, writable, notShown }: ExplainedSchema,
  faults: readonly string[],
): string =>
  [
    `Shown: ${tables.length} tables, ${functions.length} functions, ${relationships.length} relationships.`,
    writable.length === 0 ? 'No table can be written.' : `Writable: ${writable.join(', ')}.`,
    notShown.length === 0 ? 'Nothing is left out.' : `Not shown: ${notShown.length}.`,
    ...notShown.map(({ what, reason }) => `  ${what}: ${reason}`),
    faults.length === 0
      ? 'Every personal column says what becomes of it when an account is erased.'
      : `What becomes of it when an account is erased is not clear: ${faults.length}.`,
    ...faults.map(fault => `  ${fault}`),
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
      const faults = eraseFaults(await readOwnTables(database))
      return { text: describe(explained, faults), json: { schema, shown, not_shown: notShown, erasure: faults } }
    })
  },
}

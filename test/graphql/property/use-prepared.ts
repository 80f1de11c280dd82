// A running Minaret with rows, the same rows in memory, and what its API offers; for the property tests.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql'
import { type GraphqlClient, openClient, waitForTable } from '../../support/graphql.ts'
import { useMinaret } from '../../support/minaret.ts'
import type { Source } from './generate-source.ts'
import { readOffers } from './offers.ts'
import { prepareRows } from './prepare-rows.ts'
import { readData } from './rows.ts'
import { readStructure } from './structure.ts'

export interface Prepared {
  readonly source: Source
  readonly schema: GraphQLSchema
  readonly client: GraphqlClient
}

const readSchema = async (client: GraphqlClient): Promise<GraphQLSchema> => {
  const { body, text } = await client.query({ query: getIntrospectionQuery() })
  assert.ok(body.data, text)
  return buildClientSchema(body.data)
}

export const usePrepared = (): (() => Prepared) => {
  let prepared: Prepared | undefined
  let undo = async (): Promise<void> => undefined
  after(() => undo())
  useMinaret({}, async running => {
    const { key, release } = await prepareRows(running)
    // Between two queries the evaluation may take longer than the server keeps an idle connection open.
    const client = openClient(running, key, { retryStale: true })
    undo = async () => {
      client.close()
      await release()
    }
    await waitForTable(client, 'up_specimens')
    const schema = await readSchema(client)
    const structure = await readStructure(running.service.database)
    const data = await readData(running.service.database, structure)
    prepared = { client, schema, source: { data, offers: readOffers(schema, structure), built: new Map() } }
  })
  return () => {
    assert.ok(prepared)
    return prepared
  }
}

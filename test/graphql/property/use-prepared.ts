// A running Minaret with rows, the same rows in memory, and what its API offers; for the property tests.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql'
import { type GraphqlClient, openClient } from '../../support/graphql.ts'
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

const PATIENCE_MS = 60_000

/** A table that was just created takes a moment to be in the schema, and its relationships with it. */
const schemaWith = async (client: GraphqlClient, table: string): Promise<GraphQLSchema> => {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { body, text } = await client.query({ query: getIntrospectionQuery() })
    assert.ok(body.data, text)
    const schema = buildClientSchema(body.data)
    if (schema.getType(table) !== undefined || Date.now() > deadline) return schema
    await delay(200)
  }
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
    const schema = await schemaWith(client, 'up_specimens')
    const structure = await readStructure(running.service.database)
    const data = await readData(running.service.database, structure)
    prepared = { client, schema, source: { data, offers: readOffers(schema, structure), built: new Map() } }
  })
  return () => {
    assert.ok(prepared)
    return prepared
  }
}

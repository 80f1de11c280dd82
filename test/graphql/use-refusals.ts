// A Minaret with a few rows, and one keep-alive connection on which every refused request is followed by one that works.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { dataScopes } from '../../src/access/scopes.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import {
  type AnswerError,
  type GraphqlClient,
  openClient,
  type Question,
  type RawAnswer,
  type Sending,
} from '../support/graphql.ts'
import { insertMasjid } from '../support/masjids.ts'
import { type TestMinaret, useMinaret } from '../support/minaret.ts'
import { fixtureTemplate } from './fixture.ts'

export interface Expected {
  readonly status?: number
  readonly code: string
  /** What the message must contain, so that the caller knows what to change. */
  readonly says: RegExp
}

export interface Refusals {
  readonly minaret: TestMinaret
  readonly client: GraphqlClient
  /** Sends the body unchanged. */
  refusedBody(body: string | Buffer | undefined, expected: Expected, sending?: Sending): Promise<RawAnswer>
  refused(question: Question, expected: Expected): Promise<AnswerError>
  /** The data of a response without errors. */
  answered(question: Question): Promise<Record<string, unknown>>
}

/** Statements and internals must not appear in a response. */
const innards =
  /\bselect\b.*\bfrom\b|json_agg|pg_catalog|\$\d+::|"?\b(public|sandbox|minaret)\b"?\.|\bat \S+ \(|node_modules|\.ts\b/i

export const checkError = (error: AnswerError | undefined, expected: Expected, text: string): void => {
  assert.ok(error, text)
  assert.equal(error.extensions.code, expected.code, text)
  assert.match(error.message, expected.says)
  assert.ok(error.message.length < 600, `the message has ${error.message.length} letters`)
  assert.doesNotMatch(text, innards)
}

const checkRefusal = (answer: RawAnswer, expected: Expected): AnswerError => {
  const { text, status } = answer
  assert.equal(status, expected.status ?? 400, text.slice(0, 500))
  assert.match(String(answer.headers['content-type']), /^application\/(graphql-response\+)?json; charset=utf-8$/)
  const body = JSON.parse(text) as { data?: unknown; errors?: AnswerError[] }
  assert.equal('data' in body, false, 'a refusal has no data')
  for (const error of body.errors ?? []) assert.ok(error.extensions.code, text)
  checkError(body.errors?.[0], expected, text)
  return body.errors?.[0] as AnswerError
}

const open = (minaret: TestMinaret, client: GraphqlClient): Refusals => {
  const stillWorks = async (port: number): Promise<void> => {
    const next = await client.query({ query: '{ up_masjids(limit: 1) { id } }' })
    assert.equal(next.status, 200, next.text)
    assert.equal(next.body.data.up_masjids.length, 1)
    assert.equal(next.port, port, 'the connection was lost')
  }
  const refusedBody: Refusals['refusedBody'] = async (body, expected, sending) => {
    const answer = await client.send(body, sending)
    checkRefusal(answer, expected)
    await stillWorks(answer.port)
    return answer
  }
  return {
    minaret,
    client,
    refusedBody,
    refused: async (question, expected) => {
      const { text } = await refusedBody(JSON.stringify(question), expected)
      return JSON.parse(text).errors[0]
    },
    answered: async question => {
      const { status, text, body } = await client.query(question)
      assert.equal(status, 200, text)
      assert.equal(body.errors, undefined, text)
      return body.data
    },
  }
}

const mainClient = async (minaret: TestMinaret): Promise<GraphqlClient> => {
  const { database } = minaret.service
  const app = await makeApp(database, { scopes: dataScopes })
  return openClient(minaret, (await makeKey(database, { appId: app.id, scopes: dataScopes })).key)
}

/** Open to everyone: no credential. */
const sandboxClient = async ({ service, sandboxUrl }: TestMinaret): Promise<GraphqlClient> => {
  await insertMasjid(service.database, { schema: 'sandbox' })
  return openClient({ baseUrl: sandboxUrl })
}

export const useRefusals = (
  environment: Record<string, string> = {},
  address: 'main' | 'sandbox' = 'main',
): (() => Refusals) => {
  let opened: Refusals | undefined
  after(() => opened?.client.close())
  useMinaret(
    environment,
    async minaret => {
      opened = open(minaret, await (address === 'main' ? mainClient : sandboxClient)(minaret))
    },
    { template: fixtureTemplate },
  )
  return () => {
    if (opened === undefined) throw new Error('Minaret is not running yet.')
    return opened
  }
}

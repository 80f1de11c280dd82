// One app keeps more requests in progress than it may, at the GraphQL and the token endpoint. Its own wait, others do not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../../src/db/sql.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { basic, type Flow, getSeveralTokens, makeClient, makeFlow, postToken, refresh } from '../../support/oauth.ts'

/** Long enough for what is answered, on a machine that is busy with other tests. */
const DEADLINE_MS = 10_000
const AT_ONCE = 2
const limits = {
  REQUEST_DEADLINE_MS: String(DEADLINE_MS),
  STATEMENT_TIMEOUT_MS: '8000',
  REQUESTS_PER_APP: String(AT_ONCE),
  ANSWER_CACHE_MB: '0',
}
const minaret = useMinaret(limits)

/** While the tables are locked, whatever needs them is in progress. */
const whileLocked = async <T>(tables: string, work: () => Promise<T>): Promise<T> => {
  const locked = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const holding = minaret().service.database.transaction(async transaction => {
    await transaction.run(rawSql(`lock table ${tables} in access exclusive mode`))
    locked.resolve()
    await done.promise
  })
  await locked.promise
  try {
    return await work()
  } finally {
    done.resolve()
    await holding
  }
}

interface Told {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

const told = async (asked: Promise<Response>): Promise<Told> => {
  const response = await asked
  const text = await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
}

/** As many as may be are in progress until their deadline; one more waits for a part of it. */
const assertOneWaited = (all: readonly Told[]): void => {
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [429, 503, 503], JSON.stringify(all))
  const refused = all.find(({ status }) => status === 429)
  assert.match(refused?.text ?? '', /too-many-waiting/)
  assert.match(refused?.retryAfter ?? '', /^\d+$/)
}

describe('an app with too many requests at once', () => {
  const keyOfNewApp = async (): Promise<string> => {
    const { database } = minaret().service
    return (await makeKey(database, { appId: (await makeApp(database)).id })).key
  }
  const ask = (key: string, query: string): Promise<Told> =>
    told(
      fetch(`${minaret().baseUrl}/v1/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/graphql-response+json',
        },
        body: JSON.stringify({ query }),
      }),
    )

  test('at GraphQL: the next one waits and is refused, another app is answered', async () => {
    const [busy, other] = [await keyOfNewApp(), await keyOfNewApp()]
    const slow = '{ up_masjids(limit: 1) { id } }'
    const quick = '{ up_entities(limit: 1) { id } }'
    for (const key of [busy, other]) assert.equal((await ask(key, quick)).status, 200)
    await whileLocked('public.up_masjids', async () => {
      const asked = Promise.all(Array.from({ length: AT_ONCE + 1 }, () => ask(busy, slow)))
      const beside = await Promise.all(Array.from({ length: 5 }, () => ask(other, quick)))
      for (const { status, text } of beside) assert.equal(status, 200, text)
      assertOneWaited(await asked)
    })
    assert.equal((await ask(busy, slow)).status, 200, 'its turns were given back')
  })

  test('at the token endpoint: the same, by client', async () => {
    const flow: Flow = await makeFlow(minaret())
    const others = await makeClient(minaret().service.database, { kind: 'confidential' })
    const tokens = await getSeveralTokens(minaret(), flow, AT_ONCE + 1)
    const credentials = (): Promise<Told> =>
      told(postToken(minaret(), { grant_type: 'client_credentials', scope: 'masjid:read' }, basic(others)))
    assert.equal((await credentials()).status, 200)
    await whileLocked('minaret.refresh_tokens', async () => {
      const asked = Promise.all(tokens.map(one => told(refresh(minaret(), flow.app, one.refresh_token))))
      const beside = await Promise.all(Array.from({ length: 5 }, credentials))
      for (const { status, text } of beside) assert.equal(status, 200, text)
      assertOneWaited(await asked)
    })
    for (const one of tokens)
      assert.equal((await refresh(minaret(), flow.app, one.refresh_token)).status, 200, 'no token was used up')
  })
})

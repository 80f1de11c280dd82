// Without a credential: documents that keep the process busy that also serves live data.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { executeSync, parse } from 'graphql'
import { schemaFor } from '../../../src/graphql/introspection/schema-for.ts'
import { visitorGrant } from '../../../src/sandbox/sandbox-grant.ts'
import { useEngine } from '../../graphql/use-engine.ts'
import { useMinaret } from '../../support/minaret.ts'
import { post } from '../../support/sandbox.ts'
import { costlyDocuments, freshLeaf, freshRoot, LONGEST_REFUSAL, MOST_ERRORS } from '../costly-documents.ts'
import { relativeCost, threadCost } from '../thread-cost.ts'

const minaret = useMinaret()

const send = async (query: string): Promise<string> => (await post(minaret().sandboxUrl, { query })).text()

describe('a stranger', () => {
  for (const { name, text, mostMs } of costlyDocuments)
    test(`with ${name} gets a short and cheap response`, async () => {
      const cost = await threadCost(10, async index => {
        const body = await send(text(index))
        const { errors = [] } = JSON.parse(body) as { errors?: unknown[] }
        assert.ok(errors.length <= MOST_ERRORS, `${errors.length} errors`)
        assert.ok(body.length < LONGEST_REFUSAL, `${body.length} characters`)
      })
      assert.ok(cost < mostMs, `${cost} ms of CPU a request`)
    })

  test('who repeats an invalid document does not make us parse it again', async () => {
    const nonsense = costlyDocuments[0]?.text(-7) ?? ''
    const fresh = await threadCost(10, index => send(costlyDocuments[0]?.text(100 + index) ?? ''))
    const repeated = await threadCost(10, () => send(nonsense))
    assert.ok(repeated < fresh, `${repeated} ms repeated, ${fresh} ms fresh`)
  })
})

describe('a stranger who asks about the schema under ever new names', () => {
  const graphql = useEngine(async () => undefined)

  test('costs a fraction of what executing it would', async () => {
    const { engine, text } = graphql()
    const schema = schemaFor(engine.structures.current(), visitorGrant)
    const execute = (index: number) => JSON.stringify(executeSync({ schema, document: parse(freshLeaf(1000 + index)) }))
    for (const [name, question, share] of [
      ['at the root', freshRoot, 0.5],
      ['within', freshLeaf, 0.7],
    ] as const) {
      const cost = await relativeCost(10, index => text(question(index), { grant: visitorGrant }), execute)
      assert.ok(cost < share, `${name}: a request costs ${cost} of executing it`)
    }
  })
})

describe('a stranger who asks for much', () => {
  const limited = useMinaret({ RATE_LIMITS: 'on' })

  test('is charged by cost: costly requests end sooner than small ones, and neighbours are not charged', async () => {
    const costly = (index: number) => ({
      query: `{ a${index}: up_masjids { id events { id occurrences(limit: 2) { id } } } }`,
    })
    let answered = 0
    let refused: Response | undefined
    for (; answered < 400 && refused === undefined; answered += 1) {
      const response = await post(limited().sandboxUrl, costly(answered))
      if (response.status === 429) refused = response
      else await response.arrayBuffer()
    }
    assert.ok(refused !== undefined, 'never refused')
    assert.ok(answered > 5 && answered < 200, `refused after ${answered}`)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  })
})

// With an approved app's key: documents that keep the process busy that serves other apps.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '../../graphql/use-api.ts'
import { startWatch } from '../../support/waited.ts'
import { costlyDocuments, freshLeaf, LONGEST_REFUSAL, MOST_ERRORS } from '../costly-documents.ts'
import { threadCost } from '../thread-cost.ts'

const api = useApi()

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

describe('an app', () => {
  for (const { name, text, mostMs } of costlyDocuments)
    test(`with ${name} gets a short and cheap response`, async () => {
      const cost = await threadCost(10, async index => {
        const body = await (await api().post({ query: text(index) })).text()
        const { errors = [] } = JSON.parse(body) as { errors?: unknown[] }
        assert.ok(errors.length <= MOST_ERRORS, `${errors.length} errors`)
        assert.ok(body.length < LONGEST_REFUSAL, `${body.length} characters`)
      })
      assert.ok(cost < mostMs, `${cost} ms of CPU a request`)
    })

  test('cannot cause another app to get the refusal meant for it', async () => {
    const query = '{ up_masjids { id } }'
    const accept = 'application/graphql-response+json'
    const narrow = await api().keyWith(['events:read'])
    for (let round = 0; round < 3; round += 1) {
      const refused = await api().post({ query }, { accept, authorization: `Bearer ${narrow}` })
      assert.equal(refused.status, 403)
      assert.equal((await api().post({ query }, { accept })).status, 200)
    }
  })

  test('that floods with new documents does not block its neighbour', async () => {
    const ask = async (): Promise<number> => {
      const watch = startWatch()
      const response = await api().post({ query: '{ up_masjids(limit: 1) { id } }' })
      assert.equal(response.status, 200)
      await response.arrayBuffer()
      return watch()
    }
    const series = async (count: number): Promise<number> => {
      const times: number[] = []
      for (let index = 0; index < count; index += 1) times.push(await ask())
      return p95(times)
    }
    const before = await series(40)
    let flooding = true
    let sent = 0
    const flood = Array.from({ length: 4 }, async () => {
      while (flooding) {
        const index = sent++
        const query =
          index % 4 === 0 ? freshLeaf(index) : (costlyDocuments[index % costlyDocuments.length]?.text(index) ?? '')
        await (await api().post({ query })).arrayBuffer()
      }
    })
    const loud = await series(40)
    flooding = false
    await Promise.all(flood)
    // Other tests may run beside this one, before, during or after the flood.
    const quiet = Math.max(before, await series(40))
    // Four clients and the service share one thread here, so this shows that nobody waits for long, not how long.
    assert.ok(loud < Math.max(400, quiet * 40), `p95 ${loud} ms while ${sent} came in, ${quiet} ms without`)
  })
})

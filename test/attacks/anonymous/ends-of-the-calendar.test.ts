// Anybody asks for the first or the last day that a date can have, or one beyond: what counts days must not count for ever.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDate } from '../../../src/base/civil-date.ts'
import { callFor, textOf } from '../../mcp/use-mcp.ts'
import { useMinaret } from '../../support/minaret.ts'

const days = ['2026-02-30', '9999-12-31', '9999-12-28', '9999-12-01', '0001-01-01', '0000-01-01', '0000-12-31']

describe('at the ends of the calendar', () => {
  const minaret = useMinaret({ SANDBOX_DATA: 'on' })
  const slugOf = async (): Promise<string> => {
    const response = await fetch(`${minaret().sandboxUrl}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ up_masjids(limit: 1, order_by: {slug: asc}) { slug } }' }),
    })
    const { data } = (await response.json()) as { data: { up_masjids: [{ slug: string }] } }
    return data.up_masjids[0].slug
  }

  test('tools answer: with no times, or with words', async () => {
    const masjid = await slugOf()
    for (const date of days)
      for (const sent of [{ date }, { month: date.slice(0, 7) }]) {
        const result = await callFor(minaret().sandboxUrl, 'get_prayer_times', { masjid, ...sent })
        assert.match(
          textOf(result),
          /has no times for these days|is not a day of the calendar|, times on the clock of /,
        )
      }
    for (const until of days) {
      const result = await callFor(minaret().sandboxUrl, 'list_events', { masjid, from: '2026-01-01', until })
      assert.equal(result.content.length, 1, until)
      assert.doesNotMatch(textOf(result), /internal/i, until)
    }
  })

  test('feeds answer 200 or 400, never 500', async () => {
    const masjid = await slugOf()
    for (const feed of ['prayer-times.ics', 'prayer-times.csv', 'events.ics', 'events.csv'])
      for (const from of days)
        for (const count of ['1', '2', '400']) {
          const path = `/v1/masjids/${masjid}/${feed}?from=${from}&days=${count}`
          const { status } = await fetch(`${minaret().sandboxUrl}${path}`)
          const fits = isDate(from) && (count === '1' || from < '9999-12-31') && (count !== '400' || from < '9999')
          assert.equal(status, fits ? 200 : 400, path)
        }
  })
})

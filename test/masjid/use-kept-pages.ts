// What is kept in memory of public pages: how often it was used, and waiting until a page is.
import assert from 'node:assert/strict'
import { scrape, total } from '../observability/scrape.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { getPage } from './use-masjid-page.ts'

export const outcomes = async (minaret: TestMinaret): Promise<Readonly<Record<'hit' | 'kept', number>>> => {
  const samples = await scrape(minaret)
  return {
    hit: total(samples, 'minaret_pages_lookups_total', { outcome: 'hit' }),
    kept: total(samples, 'minaret_pages_kept_total'),
  }
}

/** Whether it was answered from memory, and whether it left something there. */
export const traceOf = async (
  minaret: TestMinaret,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ readonly hit: boolean; readonly kept: boolean; readonly response: Response; readonly text: string }> => {
  const before = await outcomes(minaret)
  const response = await getPage(minaret, path, headers)
  const text = await response.text()
  const now = await outcomes(minaret)
  return { hit: now.hit > before.hit, kept: now.kept > before.kept, response, text }
}

/** Asked until it comes from memory: checks begin with the first connection, and a page is kept from the second time on. */
export const untilKept = (minaret: TestMinaret, path: string, headers: Record<string, string> = {}): Promise<void> =>
  within(60_000, `kept: ${path}`, async () => (await traceOf(minaret, path, headers)).hit)

/** A few times, as the second one could be kept. */
export const assertNeverKept = async (
  minaret: TestMinaret,
  path: string,
  headers: Record<string, string> = {},
): Promise<void> => {
  for (let count = 0; count < 4; count += 1) {
    const { hit, kept } = await traceOf(minaret, path, headers)
    assert.deepEqual({ hit, kept }, { hit: false, kept: false }, path)
  }
}

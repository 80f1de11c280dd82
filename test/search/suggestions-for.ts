// What is typed → the suggestions for it, as the script of the finder asks for them.
import assert from 'node:assert/strict'
import type { TestMinaret } from '../support/minaret.ts'

export const suggestionsFor = async (
  { baseUrl }: Pick<TestMinaret, 'baseUrl'>,
  q: string,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
  const response = await fetch(`${baseUrl}/find/suggestions?${new URLSearchParams({ q, ...more })}`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return response.json()
}

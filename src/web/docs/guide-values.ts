// What this installation is → the words that stand in braces in the guides.
import type { GuideValues } from './guides.ts'

export interface GuideFacts {
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly testKey: string
  readonly statementTimeoutMs: number
  readonly sandboxRequestsPerMinute: number
}

export const guideValues = (facts: GuideFacts): GuideValues => ({
  base_url: facts.baseUrl,
  sandbox_url: facts.sandboxUrl,
  test_key: facts.testKey,
  statement_timeout: String(facts.statementTimeoutMs),
  sandbox_per_minute: String(facts.sandboxRequestsPerMinute),
})

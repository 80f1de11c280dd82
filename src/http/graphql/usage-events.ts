// Outcomes of a request → what is counted for its app.
import type { Grant } from '../../access/grant.ts'
import type { UsageEvent } from '../../apps/usage.ts'
import type { Outcome } from '../../graphql/answer.ts'
import { countListRows } from '../../graphql/count-rows.ts'
import { refusalOf } from '../../graphql/errors.ts'
import type { GraphqlRequest } from '../../graphql/request.ts'

const outcomeOf = (outcome: Outcome): Pick<UsageEvent, 'outcome' | 'rows' | 'reason'> => {
  if ('answer' in outcome) return { outcome: 'answered', rows: countListRows(outcome.answer.data) }
  const refusal = refusalOf(outcome.error)
  if (refusal === undefined || refusal.status >= 500) return { outcome: 'failed', rows: 0 }
  const [error] = refusal.errors
  return { outcome: 'refused', rows: 0, reason: `${error?.extensions.code}: ${error?.message}` }
}

export const usageEvents = (
  { appId, keyId }: Grant,
  requests: readonly GraphqlRequest[],
  outcomes: readonly Outcome[],
  milliseconds: number,
): UsageEvent[] =>
  appId === undefined
    ? []
    : outcomes.map((outcome, index) => ({
        appId,
        keyId,
        milliseconds,
        query: requests[index]?.query,
        ...outcomeOf(outcome),
      }))

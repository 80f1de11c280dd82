// Outcomes of a request → what is counted for its app.
import type { Grant } from '../../access/grant.ts'
import type { UsageEvent } from '../../apps/usage.ts'
import { countListRows } from '../count-rows.ts'
import { refusalOf } from '../errors.ts'
import type { Outcome } from '../outcome.ts'
import type { GraphqlRequest } from '../request.ts'

const outcomeOf = (outcome: Outcome): Pick<UsageEvent, 'outcome' | 'rows' | 'code' | 'reason'> => {
  if ('result' in outcome) return { outcome: 'answered', rows: countListRows(outcome.result.data) }
  const refusal = refusalOf(outcome.error)
  const [error] = refusal?.errors ?? []
  const code = String(error?.extensions.code ?? 'unexpected')
  if (refusal === undefined || refusal.status >= 500) return { outcome: 'failed', rows: 0, code }
  return { outcome: 'refused', rows: 0, code, reason: `${code}: ${error?.message}` }
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

// How long a request took, and where → the header that browsers' tools show. https://www.w3.org/TR/server-timing/
import { waitedMs } from '../db/statement-timing.ts'
import type { TimedStatement } from './timed-statement.ts'

const shown = (name: string, ms: number): string => `${name};dur=${ms.toFixed(1)}`

export const serverTiming = (
  started: number,
  statements: readonly TimedStatement[],
): { readonly 'server-timing': string } => {
  const total = shown('total', performance.now() - started)
  if (statements.length === 0) return { 'server-timing': total }
  // Statements of a batch run side by side: the longest counts.
  const ran = Math.max(...statements.map(({ ranMs }) => ranMs))
  const waited = Math.max(...statements.map(waitedMs))
  return { 'server-timing': [total, shown('db', ran), shown('queue', waited)].join(', ') }
}

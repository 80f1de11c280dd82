// A response → what it cost and how long it took, in words; and the answer without what only we asked for.
import { fillWords, make, numberWords, words } from '../page-parts.js'

/** Asks for the cost and the times of the request. */
export const EXPLAIN = 'x-minaret-explain'

/** "total;dur=12.3, db;dur=3.1" → { total: 12.3, db: 3.1 } */
export const readTimings = header =>
  Object.fromEntries(
    [...(header ?? '').matchAll(/(\w+);dur=([\d.]+)/g)].map(([, name, milliseconds]) => [name, Number(milliseconds)]),
  )

/** `cost`, `cache` and `sql` are in the answer because this page asked for them. */
export const withoutExplanation = answer => {
  if (typeof answer?.extensions !== 'object' || answer.extensions === null) return answer
  const { cost, cache, sql, ...rest } = answer.extensions
  const { extensions, ...shown } = answer
  return Object.keys(rest).length === 0 ? shown : { ...shown, extensions: rest }
}

const milliseconds = value => numberWords(value, { maximumFractionDigits: value < 10 ? 1 : 0 })

/** What is known of it, one short text each. */
export const factsOf = ({ status, elapsed, timings = {}, cost, isFromMemory }) => {
  const { answer } = words
  const facts = [
    [String(status), ''],
    [fillWords(answer.time, { ms: milliseconds(elapsed) }), answer.timeLabel],
  ]
  if (timings.total !== undefined) facts.push([fillWords(answer.server, { ms: milliseconds(timings.total) }), ''])
  if (timings.db !== undefined) facts.push([fillWords(answer.database, { ms: milliseconds(timings.db) }), ''])
  if (typeof cost?.rows === 'number')
    facts.push([
      fillWords(answer.cost, { rows: numberWords(cost.rows), maximum: numberWords(cost.maximum) }),
      answer.costLabel,
    ])
  if (isFromMemory) facts.push([answer.memory, ''])
  return facts.map(([text, title]) => make('span', { className: 'fact', title }, text))
}

// A caller → how many rows they may still read this minute. An app has one allowance for itself, whatever its keys and
// tokens, and one for each person it acts for: a busy person does not use up the allowance of others.
import type { Grant } from '../../access/grant.ts'
import type { KeyLimits } from '../../access/key-limits.ts'
import { counted, durationInWords } from '../../base/in-words.ts'
import { type Counting, tooMany } from '../../base/limit.ts'
import { fault } from '../errors.ts'

export interface Allowance {
  /** @throws {Fault} `too_many_requests` if fewer are left; `too-costly` if a whole minute has fewer. */
  take(rows: number): void
  /** https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
  headers(): Readonly<Record<string, string>>
}

/** Both headers are lists, of one item for each limit. */
const joinHeaders = (all: readonly (Readonly<Record<string, string>> | undefined)[]): Record<string, string> => {
  const joined: Record<string, string> = {}
  for (const [name, value] of all.flatMap(headers => Object.entries(headers ?? {})))
    joined[name] = joined[name] === undefined ? value : `${joined[name]}, ${value}`
  return joined
}

export type AllowanceOf = (grant: Grant) => Allowance

const SECONDS = 60

const neverEnough = (rows: number, most: number): Error =>
  fault(
    'too-costly',
    `The operation may read ${counted(rows, 'row')}; the maximum is ${most} a minute. Lower \`limit\`.`,
  )

/** Also reports what is left of the limit of a key; that is counted before. */
export const reportKeyLimits =
  (rowsOf: AllowanceOf | undefined, limits: KeyLimits) =>
  (grant: Grant): Allowance | undefined => {
    const rows = rowsOf?.(grant)
    if (grant.requestsPerMinute === undefined) return rows
    return {
      take: amount => rows?.take(amount),
      headers: () => joinHeaders([rows?.headers(), limits.headers(grant)]),
    }
  }

export const createAllowances = (rowsPerMinute: number, counting: Counting): AllowanceOf => {
  const budget = counting('rows', { tries: rowsPerMinute, seconds: SECONDS })
  const policy = `"rows";q=${rowsPerMinute};w=${SECONDS}`
  return ({ appId, userId }) => {
    const key = `${appId} ${userId ?? ''}`
    return {
      take: rows => {
        if (budget.spend(key, rows)) return
        if (rows > rowsPerMinute) throw neverEnough(rows, rowsPerMinute)
        const now = budget.standing(key)
        throw tooMany(
          `The operation may read ${counted(rows, 'row')}; ${now.left} of the ${rowsPerMinute} allowed this minute are left. Try again in ${durationInWords(now.seconds, 'second')}, or lower \`limit\`.`,
          now,
        )
      },
      headers: () => {
        const { left, seconds } = budget.standing(key)
        return { 'ratelimit-policy': policy, ratelimit: `"rows";r=${left};t=${seconds}` }
      },
    }
  }
}

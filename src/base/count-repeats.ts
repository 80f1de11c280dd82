// Errors that the log is told of → the first of a kind in full, then one line a second that says how many there were.

/** One call of the log that is about an error. */
interface ErrorLine {
  readonly level: number
  readonly details: { readonly err: unknown; readonly requestId?: unknown; readonly [name: string]: unknown }
  readonly message: string
  /** At the same level, to the same place. */
  readonly write: (details: object, message: string) => void
}

interface Kind {
  count: number
  ids: string[]
  last: ErrorLine
  seconds: number
  quietSeconds: number
}

const SECOND_MS = 1000
/** Then the next one is in full again; so is one now and then while they go on, as files of a log are rotated. */
const QUIET_SECONDS = 60
const RENEWED_SECONDS = 600
const MOST_KINDS = 200
/** Enough to find examples among the requests. */
const FEW_IDS = 5
/** Whoever was told that it is in the log under an id has to find it there. */
const MOST_IDS = 1000
const LONGEST_REASON = 200

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** What the line is about, such as an endpoint. */
const othersOf = ({ details }: ErrorLine): Record<string, unknown> =>
  Object.fromEntries(Object.entries(details).filter(([name, value]) => name !== 'requestId' && isPlain(value)))

const idOf = ({ details }: ErrorLine): string | undefined =>
  typeof details.requestId === 'string' ? details.requestId : undefined

const inWords = (error: unknown): string => {
  const { name, code, message } = (error ?? {}) as { name?: unknown; code?: unknown; message?: unknown }
  return [name, code, message].filter(part => isPlain(part) && part !== '').join(' ')
}

/** A fault says less than what caused it. */
const reasonOf = ({ details: { err } }: ErrorLine): string => {
  const { cause } = (err ?? {}) as { cause?: unknown }
  return (cause === undefined ? inWords(err) : `${inWords(cause)}; ${inWords(err)}`).slice(0, LONGEST_REASON)
}

/** Ids and numbers that differ from one to the next. */
const withoutNumbers = (text: string): string => text.replace(/[0-9a-f]{8,}|\d+/gi, '#')

const kindOf = (line: ErrorLine): string => {
  const message = line.message.replace(idOf(line) ?? '', '')
  return JSON.stringify([line.level, message, withoutNumbers(reasonOf(line)), othersOf(line)])
}

const wasTold = (line: ErrorLine, id: string): boolean => line.message.includes(id)

const add = (kind: Kind, line: ErrorLine): void => {
  kind.count += 1
  kind.quietSeconds = 0
  kind.last = line
  const id = idOf(line)
  if (id !== undefined && kind.ids.length < (wasTold(line, id) ? MOST_IDS : FEW_IDS)) kind.ids.push(id)
}

const tell = (kind: Kind): void => {
  const { count, ids, last } = kind
  if (count === 0) return
  const requestIds = ids.length === 0 ? {} : { requestIds: ids }
  last.write({ ...othersOf(last), repeated: count, reason: reasonOf(last), ...requestIds }, last.message)
  kind.count = 0
  kind.ids = []
}

export interface Repeats {
  /** Whether the line is to be written as it is. Otherwise it is counted. */
  isNew(line: ErrorLine): boolean
}

export const countRepeats = (): Repeats => {
  const kinds = new Map<string, Kind>()
  let timer: NodeJS.Timeout | undefined

  const tick = (): void => {
    timer = undefined
    for (const [key, kind] of kinds) {
      kind.seconds += 1
      kind.quietSeconds = kind.count > 0 ? 0 : kind.quietSeconds + 1
      tell(kind)
      if (kind.quietSeconds >= QUIET_SECONDS || kind.seconds >= RENEWED_SECONDS) kinds.delete(key)
    }
    if (kinds.size > 0) timer = setTimeout(tick, SECOND_MS).unref()
  }

  const begin = (key: string, line: ErrorLine): void => {
    const [oldest] = kinds
    if (kinds.size >= MOST_KINDS && oldest !== undefined) {
      tell(oldest[1])
      kinds.delete(oldest[0])
    }
    kinds.set(key, { count: 0, ids: [], last: line, seconds: 0, quietSeconds: 0 })
    timer ??= setTimeout(tick, SECOND_MS).unref()
  }

  return {
    isNew: line => {
      const key = kindOf(line)
      const known = kinds.get(key)
      if (known === undefined) begin(key, line)
      else {
        add(known, line)
        // A process that ends in this second still says how many.
        timer?.ref()
      }
      return known === undefined
    },
  }
}

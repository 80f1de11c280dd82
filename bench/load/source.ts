// A job's source → the function that gives each connection its next request.
import { NUMBER_MARK, type Source } from './job.ts'

/** A connection's next request, given the body of its last response; undefined when there are no more. */
export type NextRequest = (connection: number, lastBody: () => string) => Buffer | undefined

/** The same order in every run: xorshift with a fixed seed. */
const randomIndex = (length: number): (() => number) => {
  let state = 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % length
  }
}

const fromRandom = (texts: readonly string[]): NextRequest => {
  const requests = texts.map(text => Buffer.from(text))
  const next = randomIndex(requests.length)
  return () => requests[next()]
}

const fromRotation = (texts: readonly string[]): NextRequest => {
  const requests = texts.map(text => Buffer.from(text))
  let at = 0
  return () => requests[at++ % requests.length]
}

const fromOnce = (texts: readonly string[]): NextRequest => {
  let at = 0
  return () => {
    const text = texts[at++]
    return text === undefined ? undefined : Buffer.from(text)
  }
}

const fromNumbers = (text: string, from: number): NextRequest => {
  const [before = '', after = ''] = text.split(NUMBER_MARK)
  let at = from
  return () => Buffer.from(`${before}${String(at++).padStart(NUMBER_MARK.length, '0')}${after}`)
}

export const fieldOf = (body: string, field: string): string => {
  const found = new RegExp(`"${field}"\\s*:\\s*"([^"]*)"`).exec(body)
  if (found?.[1] === undefined) throw new Error(`An answer has no "${field}": ${body.slice(0, 300)}`)
  return found[1]
}

const withLength = (before: string, body: string): Buffer =>
  Buffer.from(`${before}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

const fromChain = (source: Extract<Source, { kind: 'chain' }>): NextRequest => {
  const started = new Set<number>()
  return (connection, lastBody) => {
    const token = started.has(connection) ? fieldOf(lastBody(), source.field) : source.first[connection]
    started.add(connection)
    return token === undefined ? undefined : withLength(source.before, source.after + encodeURIComponent(token))
  }
}

export const requestsFrom = (source: Source): NextRequest => {
  switch (source.kind) {
    case 'random':
      return fromRandom(source.requests)
    case 'rotation':
      return fromRotation(source.requests)
    case 'once':
      return fromOnce(source.requests)
    case 'numbered':
      return fromNumbers(source.request, source.from)
    case 'chain':
      return fromChain(source)
  }
}

// The first bytes of a request → its head, if it is of the plain kind that nearly every client sends; otherwise undefined,
// and Node's own parser decides. Anything that two parsers could read differently is left to Node's: another method, path
// or version, a repeated header, a content length that is not plain digits, chunked bodies, `Expect: 100-continue`.
import type { IncomingHttpHeaders } from 'node:http'

export interface Head<Path> {
  /** Where it goes: what stands for its request line. */
  readonly at: Path
  /** The whole head, including the empty line; it has as many characters as bytes. */
  readonly text: string
  readonly headers: IncomingHttpHeaders
  readonly bodyLength: number
  /** The client accepts a stream of events, and perhaps nothing else. */
  readonly accepts: 'answers' | 'events' | 'both'
}

const LONGEST = 8 * 1024
const END = '\r\n\r\n'

/** RFC 9110, section 5: a name is a token. Values may only be visible ASCII with blanks between. */
const line = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([!-~](?:[ -~\t]*[!-~])?)[ \t]*$/
const digits = /^(?:0|[1-9]\d{0,6})$/

/** These change how the bytes are read, or what happens to the connection. */
const special = ['transfer-encoding', 'expect', 'upgrade', 'te', 'trailer', 'proxy-connection', 'keep-alive']

type Headers = ReadonlyMap<string, string>

const readHeaders = (lines: readonly string[]): Headers | undefined => {
  const headers = new Map<string, string>()
  for (const text of lines) {
    const [, name, value] = line.exec(text) ?? []
    if (name === undefined || value === undefined) return undefined
    headers.set(name.toLowerCase(), value)
  }
  return headers.size === lines.length ? headers : undefined
}

const isPlain = (headers: Headers): boolean =>
  headers.has('host') &&
  digits.test(headers.get('content-length') ?? '') &&
  (headers.get('connection') ?? 'keep-alive').toLowerCase() === 'keep-alive' &&
  !special.some(name => headers.has(name))

const accepted = (accept: string): Head<unknown>['accepts'] => {
  if (!accept.includes('text/event-stream')) return 'answers'
  return accept.includes('json') ? 'both' : 'events'
}

const textOfHead = (bytes: Buffer): string | undefined => {
  const end = bytes.subarray(0, LONGEST).indexOf(END, 0, 'latin1')
  return end === -1 ? undefined : bytes.toString('latin1', 0, end + END.length)
}

const parseHead = <Path>(text: string, paths: ReadonlyMap<string, Path>): Head<Path> | undefined => {
  const [first = '', ...rest] = text.slice(0, -END.length).split('\r\n')
  const at = paths.get(first)
  if (at === undefined) return undefined
  const headers = readHeaders(rest)
  if (headers === undefined || !isPlain(headers)) return undefined
  return {
    at,
    text,
    headers: Object.freeze(Object.fromEntries(headers)),
    bodyLength: Number(headers.get('content-length')),
    accepts: accepted(headers.get('accept') ?? ''),
  }
}

/** How many heads are kept, and how long one may be: half a mebibyte in all. */
const MOST_KEPT = 512
const LONGEST_KEPT = 1024

/** A proxy gives each request another id: such a head does not come again. */
const mayComeAgain = <Path>({ text, headers }: Head<Path>): boolean =>
  text.length <= LONGEST_KEPT && headers['x-request-id'] === undefined

export type ReadHead<Path> = (bytes: Buffer) => Head<Path> | undefined

/**
 * Clients repeat their heads, and a proxy sends those of many clients on one connection: a head that was parsed lately
 * is found by its text.
 * @param paths by the request lines that it may start with, such as `POST /path HTTP/1.1`
 */
export const createHeadReader = <Path>(paths: ReadonlyMap<string, Path>): ReadHead<Path> => {
  const kept = new Map<string, Head<Path>>()
  const keep = (head: Head<Path>): void => {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value as string)
    kept.set(head.text, head)
  }
  return bytes => {
    const text = textOfHead(bytes)
    if (text === undefined) return undefined
    const known = kept.get(text)
    if (known !== undefined) return known
    const head = parseHead(text, paths)
    if (head !== undefined && mayComeAgain(head)) keep(head)
    return head
  }
}

// Bytes of a keep-alive connection → complete HTTP/1.1 responses, with as little work as possible: the generator shares the machine.

export interface Answer {
  readonly status: number
  readonly bytes: Buffer
  /** Where the body begins in `bytes`. */
  readonly bodyAt: number
  readonly chunked: boolean
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')
const EMPTY_BODY = Buffer.from('0\r\n\r\n')

const endsWith = (bytes: Buffer, end: Buffer): boolean =>
  bytes.length >= end.length && bytes.compare(end, 0, end.length, bytes.length - end.length) === 0

/** A connection has one response in progress at a time, so the end of the bytes is the end of the response. */
const isWhole = (bytes: Buffer, bodyAt: number, length: number | undefined): boolean => {
  if (length !== undefined) return bytes.length >= bodyAt + length
  return endsWith(bytes, LAST_CHUNK) || (bytes.length === bodyAt + EMPTY_BODY.length && endsWith(bytes, EMPTY_BODY))
}

/** The response once it is complete, otherwise undefined. */
const readAnswer = (bytes: Buffer): Answer | undefined => {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const bodyAt = headEnd + HEAD_END.length
  const status = Number(head.slice(9, 12))
  const length = /\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const bodiless = status === 204 || status === 304
  if (!isWhole(bytes, bodyAt, bodiless ? 0 : length === undefined ? undefined : Number(length))) return undefined
  return { status, bytes, bodyAt, chunked: length === undefined && !bodiless }
}

/** Takes bytes; returns a response once it is complete. Both are valid only until the next call. */
export const answerReader = (): ((piece: Buffer) => Answer | undefined) => {
  let kept: Buffer[] = []
  return piece => {
    if (kept.length > 0) kept.push(Buffer.from(piece))
    const answer = readAnswer(kept.length === 0 ? piece : Buffer.concat(kept))
    if (answer !== undefined) kept = []
    else if (kept.length === 0) kept.push(Buffer.from(piece))
    return answer
  }
}

const joinChunks = (text: string): string => {
  let body = ''
  for (let at = 0; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    if (!(size > 0)) return body
    body += text.slice(lineEnd + 2, lineEnd + 2 + size)
    at = lineEnd + 2 + size + 2
  }
}

/** The body as text, de-chunked where it came in chunks. */
export const bodyOf = ({ bytes, bodyAt, chunked }: Answer): string => {
  const text = bytes.toString('latin1', bodyAt)
  return chunked ? joinChunks(text) : text
}

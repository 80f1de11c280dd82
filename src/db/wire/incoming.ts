// Bytes from PostgreSQL, in pieces of any size → whole messages; only those that a reading connection can get are told apart.
import pg from 'pg'

export interface IncomingEvents {
  parsed(): void
  /** The first column of a row. */
  row(text: string): void
  failed(error: pg.DatabaseError): void
  /** All up to a sync is answered. */
  ready(): void
}

const HEADER = 5
const ROW = 'D'.charCodeAt(0)
const READY = 'Z'.charCodeAt(0)
const PARSED = '1'.charCodeAt(0)
const FAILED = 'E'.charCodeAt(0)

/** Type, length, number of columns, length of the first, its bytes. */
const firstColumn = (bytes: Buffer, at: number): string => {
  const length = bytes.readInt32BE(at + HEADER + 2)
  const from = at + HEADER + 6
  return length === -1 ? 'null' : bytes.toString('utf8', from, from + length)
}

const errorFields = { C: 'code', D: 'detail', H: 'hint', S: 'severity', W: 'where', s: 'schema', t: 'table' } as const

const readError = (bytes: Buffer, at: number, end: number): pg.DatabaseError => {
  const fields = new Map<string, string>()
  for (const text of bytes.toString('utf8', at + HEADER, end).split('\0'))
    if (text !== '') fields.set(text.charAt(0), text.slice(1))
  const error = new pg.DatabaseError(fields.get('M') ?? 'PostgreSQL gave no reason.', end - at, 'error')
  for (const [letter, name] of Object.entries(errorFields)) error[name] = fields.get(letter)
  return error
}

/** Bytes are good only while it is given them, so that an unfinished message is copied. */
export const createIncoming = (events: IncomingEvents): ((piece: Buffer) => void) => {
  let pieces: Buffer[] = []
  let kept = 0
  let wanted = HEADER

  const tell = (bytes: Buffer, at: number, end: number): void => {
    const type = bytes[at]
    if (type === ROW) events.row(firstColumn(bytes, at))
    else if (type === READY) events.ready()
    else if (type === PARSED) events.parsed()
    else if (type === FAILED) events.failed(readError(bytes, at, end))
  }

  /** Where the first message begins that is not whole yet. */
  const tellWhole = (bytes: Buffer): number => {
    let at = 0
    for (;;) {
      wanted = HEADER
      if (at + HEADER > bytes.length) return at
      const length = 1 + bytes.readInt32BE(at + 1)
      wanted = length
      if (at + length > bytes.length) return at
      tell(bytes, at, at + length)
      at += length
    }
  }

  return piece => {
    let bytes = piece
    if (kept > 0) {
      pieces.push(Buffer.from(piece))
      kept += piece.length
      if (kept < wanted) return
      bytes = Buffer.concat(pieces, kept)
    }
    const at = tellWhole(bytes)
    pieces = at === bytes.length ? [] : [Buffer.from(bytes.subarray(at))]
    kept = bytes.length - at
  }
}

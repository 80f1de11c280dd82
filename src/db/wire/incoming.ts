// Bytes from PostgreSQL, in pieces of any size → complete messages, of the kinds that our connections can get.
import pg from 'pg'

export interface IncomingEvents {
  parsed(): void
  /** The first column of a row. */
  row(text: string): void
  failed(error: pg.DatabaseError): void
  /** One statement is finished. Only transactions of several need to know. */
  completed?(): void
  /** A warning or notice, without being an error. Only writing needs to know. */
  noticed?(notice: pg.DatabaseError): void
  /** Everything up to a sync is answered. */
  ready(): void
}

const HEADER = 5
const ROW = 'D'.charCodeAt(0)
const READY = 'Z'.charCodeAt(0)
const PARSED = '1'.charCodeAt(0)
const FAILED = 'E'.charCodeAt(0)
const COMPLETED = 'C'.charCodeAt(0)
const NOTICED = 'N'.charCodeAt(0)

/** Type, length, number of columns, length of the first, its bytes. */
const firstColumn = (bytes: Buffer, at: number): string => {
  const length = bytes.readInt32BE(at + HEADER + 2)
  const from = at + HEADER + 6
  return length === -1 ? 'null' : bytes.toString('utf8', from, from + length)
}

const errorFields = {
  C: 'code',
  D: 'detail',
  F: 'file',
  H: 'hint',
  R: 'routine',
  V: 'severity',
  W: 'where',
  c: 'column',
  n: 'constraint',
  s: 'schema',
  t: 'table',
} as const

const readError = (bytes: Buffer, at: number, end: number): pg.DatabaseError => {
  const fields = new Map<string, string>()
  for (const text of bytes.toString('utf8', at + HEADER, end).split('\0'))
    if (text !== '') fields.set(text.charAt(0), text.slice(1))
  const error = new pg.DatabaseError(fields.get('M') ?? 'PostgreSQL gave no reason.', end - at, 'error')
  for (const [letter, name] of Object.entries(errorFields)) error[name] = fields.get(letter)
  return error
}

/** A reused buffer for incomplete messages; a larger one is freed when it is no longer needed. */
const ROOM = 64 * 1024

/** A longer result is discarded as it arrives: otherwise it would be held in memory several times before anybody reads it. */
export const MOST_BYTES = 16 * 1024 * 1024

/** The code PostgreSQL uses when its own limits are exceeded (program_limit_exceeded). */
const tooLong = (length: number): pg.DatabaseError => {
  const error = new pg.DatabaseError(`The result has ${length} bytes.`, length, 'error')
  error.code = '54000'
  return error
}

/** Bytes are valid only during the call, so an incomplete message is copied. */
export const createIncoming = (events: IncomingEvents): ((piece: Buffer) => void) => {
  let room = Buffer.allocUnsafeSlow(ROOM)
  let kept = 0
  let wanted = HEADER
  /** How much of an oversized result is still to come. */
  let unwanted = 0

  const tell = (bytes: Buffer, at: number, end: number): void => {
    const type = bytes[at]
    if (type === ROW) events.row(firstColumn(bytes, at))
    else if (type === READY) events.ready()
    else if (type === PARSED) events.parsed()
    else if (type === FAILED) events.failed(readError(bytes, at, end))
    else if (type === COMPLETED) events.completed?.()
    else if (type === NOTICED) events.noticed?.(readError(bytes, at, end))
  }

  /** Where the message ends, or what is there of it. */
  const refuse = (at: number, length: number): number => {
    const end = at + wanted
    events.failed(tooLong(wanted))
    unwanted = Math.max(0, end - length)
    return Math.min(end, length)
  }

  /** Where the first incomplete message begins. */
  const tellWhole = (bytes: Buffer, length: number): number => {
    let at = 0
    for (;;) {
      wanted = HEADER
      if (at + HEADER > length) return at
      wanted = 1 + bytes.readInt32BE(at + 1)
      if (wanted > MOST_BYTES) at = refuse(at, length)
      else if (at + wanted > length) return at
      else {
        tell(bytes, at, at + wanted)
        at += wanted
      }
    }
  }

  const makeRoom = (size: number): void => {
    if (size <= room.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(size, room.length * 2))
    room.copy(larger, 0, 0, kept)
    room = larger
  }

  const keep = (bytes: Buffer, from: number, to: number): void => {
    makeRoom(Math.max(kept + to - from, wanted))
    bytes.copy(room, kept, from, to)
    kept += to - from
  }

  const takeUnwanted = (piece: Buffer): Buffer => {
    const left = piece.subarray(Math.min(unwanted, piece.length))
    unwanted -= piece.length - left.length
    return left
  }

  return whole => {
    const piece = unwanted > 0 ? takeUnwanted(whole) : whole
    if (kept === 0) {
      const at = tellWhole(piece, piece.length)
      if (at < piece.length) keep(piece, at, piece.length)
      return
    }
    keep(piece, 0, piece.length)
    if (kept < wanted) return
    const at = tellWhole(room, kept)
    room.copyWithin(0, at, kept)
    kept -= at
    if (kept === 0 && room.length > ROOM) room = Buffer.allocUnsafeSlow(ROOM)
  }
}

// A path → the file's text, piece by piece, and how much of it was read. Archives and other encodings are named.
import { createReadStream, fstatSync, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { importRefused } from './raw-row.ts'

export interface OpenedFile {
  /** The first piece, to see what it is. */
  readonly beginning: string
  readonly texts: AsyncIterable<string>
  /** In bytes; undefined for a pipe. */
  readonly size: number | undefined
  readonly bytesRead: () => number
  close(): void
}

/** First bytes of what is not text in UTF-8. */
const others: readonly (readonly [bytes: string, what: string])[] = [
  ['504b0304', 'a ZIP archive or a workbook; unpack it, or save the sheet as CSV'],
  [
    '1f8b',
    'compressed with gzip; unpack it, or give it to the command by `zcat FILE | minaret masjids import /dev/stdin …`',
  ],
  ['425a68', 'compressed with bzip2; unpack it first'],
  ['fd377a58', 'compressed with xz; unpack it first'],
  ['28b52ffd', 'compressed with zstd; unpack it first'],
  ['fffe', 'text in UTF-16; save it in UTF-8'],
  ['feff', 'text in UTF-16; save it in UTF-8'],
  ['25504446', 'a PDF'],
]

const PIECE_BYTES = 262_144

const refuseOthers = (path: string, first: Buffer): void => {
  const start = first.subarray(0, 4).toString('hex')
  const found = others.find(([bytes]) => start.startsWith(bytes))
  if (found !== undefined) throw importRefused(`${path} is ${found[1]}.`)
}

const explain = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'ENOENT') return importRefused(`There is no file ${path}.`, error)
  if (error.code === 'EACCES') return importRefused(`${path} may not be read by this user.`, error)
  return error.code === 'EISDIR' ? importRefused(`${path} is a folder.`, error) : error
}

/** Opened by its name, a socket would be refused: programs that start others often give them one. */
const isStandardInput = (path: string): boolean => path === '/dev/stdin'

interface Source extends Readable {
  readonly bytesRead: number
}

const streamOf = (path: string): Source =>
  isStandardInput(path) ? process.stdin : createReadStream(path, { highWaterMark: PIECE_BYTES })

const sizeIn = (path: string, found: Stats): number | undefined => {
  if (found.isDirectory()) throw importRefused(`${path} is a folder.`)
  return found.isFile() ? found.size : undefined
}

const sizeOf = async (path: string): Promise<number | undefined> =>
  sizeIn(path, isStandardInput(path) ? fstatSync(0) : await stat(path))

/** Bytes that are no UTF-8 become U+FFFD, which no column accepts: the row that has them is refused, not the file. */
async function* decode(stream: Readable, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let isFirst = true
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (isFirst) refuseOthers(path, piece)
    isFirst = false
    yield decoder.decode(piece, { stream: true })
  }
  yield decoder.decode()
}

async function* after(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** @throws {Fault} `import_refused` */
export const openFile = async (path: string): Promise<OpenedFile> => {
  try {
    const size = await sizeOf(path)
    const stream = streamOf(path)
    const pieces = decode(stream, path)
    const first = await pieces.next()
    const beginning = first.value ?? ''
    return {
      beginning,
      texts: after(beginning, pieces),
      size,
      bytesRead: () => stream.bytesRead,
      close: () => void stream.destroy(),
    }
  } catch (error) {
    throw explain(path, error)
  }
}

// The bytes of a zip file → the files asked for, as text. Sizes are checked before anything is inflated, and again while it is.
import { fromBuffer, type ZipFile } from 'yauzl'
import { SheetRefused } from './sheet.ts'

const MOST_FILES = 500
/** A year's timetable is a few hundred kilobytes. */
const MOST_INFLATED = 12 * 1024 * 1024
/** XML compresses well; a thousandfold is a bomb. */
const MOST_RATIO = 200

const open = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true, strictFileNames: true }, (error, zip) =>
      error === null ? resolve(zip) : reject(new SheetRefused('broken')),
    )
  })

type Entry = ZipFile extends { readEntry(): void } ? import('yauzl').Entry : never

const checkSize = (entry: Entry, inflatedBefore: number): void => {
  const ratio = entry.uncompressedSize / Math.max(entry.compressedSize, 1)
  if (ratio > MOST_RATIO && entry.uncompressedSize > 1024 * 1024) throw new SheetRefused('dangerous')
  if (inflatedBefore + entry.uncompressedSize > MOST_INFLATED) throw new SheetRefused('too_large')
}

const textOf = (zip: ZipFile, entry: Entry): Promise<string> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(new SheetRefused('broken'))
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => void pieces.push(piece))
      stream.on('error', () => reject(new SheetRefused('broken')))
      stream.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
    })
  })

const readAll = async (zip: ZipFile, wanted: (name: string) => boolean): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  let inflated = 0
  const read = async (entry: Entry): Promise<void> => {
    if (!wanted(entry.fileName)) return
    checkSize(entry, inflated)
    inflated += entry.uncompressedSize
    found.set(entry.fileName, await textOf(zip, entry))
  }
  await new Promise<void>((resolve, reject) => {
    zip.on('error', () => reject(new SheetRefused('broken')))
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      read(entry).then(() => zip.readEntry(), reject)
    })
    zip.readEntry()
  })
  return found
}

/** @throws SheetRefused */
export const unzip = async (bytes: Buffer, wanted: (name: string) => boolean): Promise<Map<string, string>> => {
  const zip = await open(bytes)
  try {
    if (zip.entryCount > MOST_FILES) throw new SheetRefused('dangerous')
    return await readAll(zip, wanted)
  } finally {
    zip.close()
  }
}

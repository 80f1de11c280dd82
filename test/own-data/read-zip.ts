// A ZIP file → its files as text, by name.
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'

export const readZip = async (bytes: Buffer): Promise<ReadonlyMap<string, string>> => {
  const open = promisify((buffer: Buffer, done: (error: Error | null, zip?: ZipFile) => void) =>
    fromBuffer(buffer, { lazyEntries: true }, done),
  )
  const zip = await open(bytes)
  if (zip === undefined) throw new Error('no ZIP file')
  const files = new Map<string, string>()
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject).on('end', resolve)
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error !== null && error !== undefined) return reject(error)
        text(stream)
          .then(content => {
            files.set(entry.fileName, content)
            zip.readEntry()
          })
          .catch(reject)
      }),
    )
    zip.readEntry()
  })
  return files
}

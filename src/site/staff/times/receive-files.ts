// Form posts with a file → a body like that of any other form, so that the anti-forgery check reads it as usual.
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { Fault } from '../../../base/fault.ts'

/** A timetable of a year is a few hundred kilobytes. */
const MOST_FILE_BYTES = 5 * 1024 * 1024
const MOST_TEXT_BYTES = 1024 * 1024
const MOST_BODY_BYTES = MOST_FILE_BYTES + MOST_TEXT_BYTES + 64 * 1024

interface ReceivedFile {
  readonly name: string
  readonly bytes: Buffer
}

const tooLarge = (): Fault =>
  new Fault({ code: 'too_large', status: 413, message: 'The file is too large: a timetable may have 5 MB.' })

const keepFile = async (part: MultipartFile): Promise<void> => {
  const bytes = await part.toBuffer()
  const file: ReceivedFile = { name: part.filename ?? '', bytes }
  Object.assign(part, { value: file })
}

/** What says that it is too large is refused before it is read. */
export const receiveFiles = async (scope: FastifyInstance): Promise<void> => {
  scope.addHook('onRequest', async request => {
    if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) throw tooLarge()
  })
  await scope.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: { fileSize: MOST_FILE_BYTES, files: 1, fields: 20, fieldSize: MOST_TEXT_BYTES, parts: 24, headerPairs: 20 },
    onFile: keepFile,
  })
}

const isFile = (value: unknown): value is ReceivedFile =>
  typeof value === 'object' && value !== null && 'bytes' in value && Buffer.isBuffer(value.bytes)

/** Undefined if nothing was chosen: browsers then send an empty file without a name. */
export const fileOf = (body: unknown, field: string): ReceivedFile | undefined => {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  return isFile(value) && (value.name !== '' || value.bytes.length > 0) ? value : undefined
}

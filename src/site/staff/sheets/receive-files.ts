// Form posts with a file → a body like that of any other form, so that the anti-forgery check reads it as usual.
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import { withoutUnseen } from '../../../base/plain-text.ts'
import { setDeadline } from '../../../http/answer-in-time.ts'
import type { PageFrame } from '../../frame/page-routes.ts'
import { type CountUpload, createUploadCounter } from './count-uploads.ts'
import { MOST_TEXT_BYTES } from './list-text.ts'

/** A timetable of a year, or a list of people, is a few hundred kilobytes. */
const MOST_FILE_BYTES = 5 * 1024 * 1024
/** Proxies have to let it through. */
export const MOST_BODY_BYTES = MOST_FILE_BYTES + MOST_TEXT_BYTES + 64 * 1024
/** A list of 2,000 people may ask about each of them. */
const MOST_FIELDS = 2100

interface ReceivedFile {
  readonly name: string
  readonly bytes: Buffer
}

const tooLarge = (): Fault =>
  new Fault({
    code: 'too_large',
    status: 413,
    message: 'This is too large: a file may have 5 MB, a pasted table 1 MB.',
  })

const keepFile = async (part: MultipartFile): Promise<void> => {
  const bytes = await part.toBuffer()
  // It is shown to colleagues.
  const file: ReceivedFile = { name: withoutUnseen(part.filename ?? ''), bytes }
  Object.assign(part, { value: file })
}

interface ReceivedPart {
  readonly value?: unknown
  readonly valueTruncated?: boolean
}

/** A text that was cut off would be read as a shorter one. */
const textOf = ({ value, valueTruncated }: ReceivedPart): unknown => {
  if (valueTruncated === true) throw tooLarge()
  return value
}

const plainBody = (body: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, part]: [string, ReceivedPart | ReceivedPart[]]) => [
      name,
      Array.isArray(part) ? part.map(textOf) : textOf(part),
    ]),
  )

const isUpload = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') === true

/** Before anything is read: what says that it is too large, what comes from nobody, and too much at once. */
const admit =
  ({ visits }: PageFrame, countUpload: CountUpload) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) throw tooLarge()
    if (!isUpload(request)) return undefined
    const { session } = await visits.of(request, reply)
    if (session === undefined) return reply.redirect('/sign-in', 303)
    countUpload(session.user.id, reply)
    return undefined
  }

const tooSlow = (): Fault =>
  new Fault({
    code: 'bad_request',
    status: 408,
    message: 'The upload took too long. Try again with a better connection.',
  })

/** The rest of it is not waited for. */
const giveUp = (request: FastifyRequest, reply: FastifyReply): void => {
  if (reply.sent) return
  reply.raw.once('finish', () => request.raw.destroy())
  reply.header('connection', 'close').send(tooSlow())
}

interface UploadTimes {
  /** 5 MB over a poor mobile connection. */
  readonly uploadMs?: number
  /** From when all of it has arrived. */
  readonly answerMs?: number
}

export const receiveFiles = async (
  scope: FastifyInstance,
  frame: PageFrame,
  { uploadMs = 300_000, answerMs = 60_000 }: UploadTimes = {},
): Promise<void> => {
  scope.addHook('onRequest', admit(frame, createUploadCounter()))
  scope.addHook('preValidation', async (request, reply) => {
    if (isUpload(request)) setDeadline(request, { ms: uploadMs, giveUp: () => giveUp(request, reply) })
  })
  await scope.register(multipart, {
    attachFieldsToBody: true,
    limits: {
      fileSize: MOST_FILE_BYTES,
      files: 1,
      fields: MOST_FIELDS,
      fieldSize: MOST_TEXT_BYTES,
      parts: MOST_FIELDS + 4,
      headerPairs: 20,
    },
    onFile: keepFile,
  })
  scope.addHook('preValidation', async (request, reply) => {
    if (!isUpload(request)) return
    setDeadline(request, { ms: answerMs, giveUp: () => giveUp(request, reply) })
    if (typeof request.body === 'object' && request.body !== null) request.body = plainBody(request.body)
  })
}

const isFile = (value: unknown): value is ReceivedFile =>
  typeof value === 'object' && value !== null && 'bytes' in value && Buffer.isBuffer(value.bytes)

/** Undefined if nothing was chosen: browsers then send an empty file without a name. */
export const fileOf = (body: unknown, field: string): ReceivedFile | undefined => {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  return isFile(value) && (value.name !== '' || value.bytes.length > 0) ? value : undefined
}

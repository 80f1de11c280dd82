// A posted form → its parameters, where a repeated one is a list. Refuses any other kind of body.
import formBody from '@fastify/formbody'
import { parse } from 'fast-querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../base/fault.ts'
import type { IncomingRequest } from '../graphql/entrance/transport.ts'
import { invalidRequest } from '../oauth/oauth-fault.ts'
import type { RawParameters } from '../oauth/parameters.ts'
import type { FormPost } from '../oauth/token.ts'
import { points } from './charges/charge.ts'

const notAForm = () => invalidRequest('Send the parameters as application/x-www-form-urlencoded.')

/** RFC 6749 section 3.2 and appendix B: parameters are sent as `application/x-www-form-urlencoded` only. */
export const acceptFormsOnly = async (server: FastifyInstance): Promise<void> => {
  server.removeAllContentTypeParsers()
  await server.register(formBody, { parser: parse })
  server.addContentTypeParser('*', (_request, _payload, done) => done(notAForm()))
}

export const rawParameters = (form: unknown): RawParameters => (form ?? {}) as RawParameters

/** A header that came twice arrives as one value with a comma: whatever it is for refuses that. */
const onlyText = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value

export const toFormPost = (request: FastifyRequest): FormPost => ({
  form: rawParameters(request.body),
  authorization: request.headers.authorization,
  dpop: onlyText(request.headers.dpop),
  address: request.clientAddress,
  userAgent: request.headers['user-agent'],
})

const tooLarge = () => new Fault({ code: 'too_large', status: 413, message: 'The form is too large.' })

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i

/** The same for a request whose body was not read by Fastify. @throws {Fault} `invalid_request` or `too_large` */
export const readFormPost = ({ headers, body, clientAddress }: IncomingRequest): FormPost => {
  if (body?.kind === 'too-large') throw tooLarge()
  const bytes = body?.bytes ?? Buffer.alloc(0)
  if (bytes.length > 0 && !FORM_TYPE.test(headers['content-type'] ?? '')) throw notAForm()
  return {
    form: parse(bytes.toString()) as RawParameters,
    authorization: headers.authorization,
    dpop: onlyText(headers.dpop),
    address: clientAddress(),
    userAgent: headers['user-agent'],
  }
}

/** RFC 6749 section 3.2: "The client MUST use the HTTP POST method". */
export const refuseOtherMethods = (server: FastifyInstance, paths: readonly string[]): void => {
  for (const url of paths)
    server.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { charge: points(1) },
      handler: () => {
        const message = 'Send the request with POST.'
        throw new Fault({ code: 'invalid_request', status: 405, message, headers: { allow: 'POST, OPTIONS' } })
      },
    })
}

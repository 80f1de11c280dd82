// A posted form → its parameters, where a repeated one is a list. Refuses any other kind of body.
import formBody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../base/fault.ts'
import { invalidRequest } from '../oauth/oauth-fault.ts'
import type { RawParameters } from '../oauth/parameters.ts'
import type { FormPost } from '../oauth/token.ts'

/** RFC 6749 section 3.2 and appendix B: parameters are sent as `application/x-www-form-urlencoded` only. */
export const acceptFormsOnly = async (server: FastifyInstance): Promise<void> => {
  server.removeAllContentTypeParsers()
  await server.register(formBody)
  server.addContentTypeParser('*', (_request, _payload, done) =>
    done(invalidRequest('Send the parameters as application/x-www-form-urlencoded.')),
  )
}

export const rawParameters = (form: unknown): RawParameters => (form ?? {}) as RawParameters

export const toFormPost = (request: FastifyRequest): FormPost => ({
  form: rawParameters(request.body),
  authorization: request.headers.authorization,
  address: request.clientAddress,
  userAgent: request.headers['user-agent'],
})

/** RFC 6749 section 3.2: "The client MUST use the HTTP POST method". */
export const refuseOtherMethods = (server: FastifyInstance, paths: readonly string[]): void => {
  for (const url of paths)
    server.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url,
      handler: () => {
        const message = 'Send the request with POST.'
        throw new Fault({ code: 'invalid_request', status: 405, message, headers: { allow: 'POST, OPTIONS' } })
      },
    })
}

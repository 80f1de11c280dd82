// A posted form → its parameters, where a repeated one is a list; any other kind of body is refused.
import formBody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest } from '../../oauth/oauth-fault.ts'
import type { RawParameters } from '../../oauth/parameters.ts'
import type { FormPost } from '../../oauth/token.ts'

/** RFC 6749 section 3.2 and appendix B: parameters travel as `application/x-www-form-urlencoded`, and no other way. */
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
  address: request.ip,
})

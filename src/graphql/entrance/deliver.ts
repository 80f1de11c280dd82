// A response and a request → what is sent: compressed if the client accepts it, or 304 if it already has the same.
import { isKnown } from '../../base/entity-tag.ts'
import { type Encoding, encodingFor, isPackable, packed } from './compression.ts'
import type { HttpResponse } from './http-response.ts'
import type { IncomingRequest, OutgoingResponse } from './transport.ts'

/** A response that is kept is compressed once, for all clients that accept the encoding. */
export const packedOnce = (
  { body, packs }: Pick<HttpResponse, 'body'> & { readonly packs?: HttpResponse['packs'] | undefined },
  encoding: Encoding,
): Promise<Buffer> => {
  const known = packs?.get(encoding)
  if (known !== undefined) return known
  const pack = packed(body, encoding)
  packs?.set(encoding, pack)
  pack.catch(() => packs?.delete(encoding))
  return pack
}

/** RFC 9110, section 13.1.2: 304 is only for GET. */
const isUnchanged = ({ method, headers }: IncomingRequest, { etag }: HttpResponse): boolean =>
  etag !== undefined && method === 'GET' && isKnown(headers['if-none-match'], etag)

const deliverPacked = async (
  response: HttpResponse,
  headers: string[],
  packing: Encoding,
): Promise<OutgoingResponse> => {
  const body = await packedOnce(response, packing)
  headers.push('content-encoding', packing, 'content-length', String(body.length))
  return { status: response.status, headers, body, encoding: 'latin1' }
}

/** Synchronous unless the body is long enough to be compressed. */
export const deliver = (
  request: IncomingRequest,
  response: HttpResponse,
): OutgoingResponse | Promise<OutgoingResponse> => {
  const { status, body, bytes, etag } = response
  const headers = [...response.headers, 'x-request-id', request.id]
  const packing = encodingFor(request.headers['accept-encoding'], bytes)
  if (packing !== undefined || (etag !== undefined && isPackable(bytes))) headers.push('vary', 'accept-encoding')
  if (isUnchanged(request, response)) return { status: 304, headers, body: '', encoding: 'latin1' }
  if (packing !== undefined) return deliverPacked(response, headers, packing)
  headers.push('content-length', String(bytes))
  return { status, headers, body, encoding: bytes === body.length ? 'latin1' : 'utf8' }
}

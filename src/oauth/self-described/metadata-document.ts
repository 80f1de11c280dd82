// The bytes of a Client ID Metadata Document → what it says about the app, if it keeps to the rules of the draft.
import * as z from 'zod'
import { checkRedirectUri } from '../../apps/check-redirect-uri.ts'
import { isPlainLine } from '../../base/plain-text.ts'
import { invalidRequest } from '../oauth-fault.ts'
import type { MetadataAddress } from './metadata-address.ts'

export interface DescribedApp {
  readonly name: string
  readonly redirectUris: readonly string[]
}

/** Members that we do not know are ignored, as RFC 7591 section 2 says. */
const shape = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(20),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
})

const LONGEST_NAME = 100

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalidRequest('The document at the client_id is not JSON.')
  }
}

/** Of https, or of the person's own machine (RFC 8252 section 7.3). */
const checkUris = (uris: readonly string[]): void => {
  const faulty = uris.some(uri => !/^https?:/.test(uri) || checkRedirectUri(uri, 'development', 'public') !== undefined)
  if (faulty) throw invalidRequest('A redirect URI of the document is neither https nor of this machine.')
}

const nameOf = (name: string | undefined, host: string): string => {
  const plain = name?.trim() ?? ''
  return plain === '' || plain.length > LONGEST_NAME || !isPlainLine(plain) ? host : plain
}

/** @throws {Fault} `invalid_request` */
export const readMetadataDocument = (bytes: Buffer, { address, host }: MetadataAddress): DescribedApp => {
  const read = shape.safeParse(parse(bytes))
  if (!read.success)
    throw invalidRequest('The document at the client_id lacks a member, has a secret, or is malformed.')
  const { client_id: clientId, client_name: name, redirect_uris: uris, ...rest } = read.data
  // Section 4.1: compared as strings, so that a document cannot speak for another address.
  if (clientId !== address) throw invalidRequest('The document at the client_id names another client_id.')
  if ((rest.token_endpoint_auth_method ?? 'none') !== 'none')
    throw invalidRequest('An app that describes itself has no secret: its token_endpoint_auth_method must be none.')
  if (rest.grant_types?.includes('authorization_code') === false || rest.response_types?.includes('code') === false)
    throw invalidRequest('The document does not ask for the authorization code flow.')
  checkUris(uris)
  return { name: nameOf(name, host), redirectUris: uris }
}

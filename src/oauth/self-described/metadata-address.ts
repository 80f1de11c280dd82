// A client_id → whether it is the address of a Client ID Metadata Document.
// https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/

const LONGEST = 1000
/** As in RFC 3986, and never written in two ways: programs must agree about what is compared letter by letter. */
const shape =
  /^https:\/\/([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)(\/[!$%&'()*+,./0-9:;=?@A-Z_a-z~-]*)$/
const dotSegment = /\/(?:\.|%2e){1,2}(?=\/|\?|$)/i

export interface MetadataAddress {
  readonly address: string
  readonly host: string
}

/** Section 3: https, with a path, without dot segments, fragment, user name or password. A port is not accepted here. */
export const readMetadataAddress = (clientId: string): MetadataAddress | undefined => {
  const [, host, path] = clientId.length <= LONGEST ? (shape.exec(clientId) ?? []) : []
  if (host === undefined || path === undefined || host.length > 253 || dotSegment.test(path)) return undefined
  return { address: clientId, host }
}

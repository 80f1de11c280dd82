// A client and its redirect URI → whether only that client can receive the code, so that a remembered consent is enough.
import type { Client } from '../clients/client.ts'

/**
 * RFC 8252 section 8.6: "Authorization servers SHOULD NOT process authorization requests automatically without user consent or
 * interaction, except when the identity of the client can be assured." Any program on a machine can listen on a loopback
 * address or open a custom scheme, and send the client_id of another; a secret or an https address tells them apart.
 */
export const isReceiverKnown = ({ kind }: Pick<Client, 'kind'>, redirectUri: string): boolean =>
  kind === 'confidential' || redirectUri.startsWith('https://')

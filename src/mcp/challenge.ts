// A refused request → the challenge that lets a client get the token it needs: which scopes, and where they are asked for.
import { insufficientScope } from '../access/faults.ts'
import { challenging, withChallenge } from '../access/resource-metadata.ts'
import { MCP_PATH, metadataAddress } from '../access/resources.ts'
import { publicScopes, type Scope } from '../access/scopes.ts'
import type { Fault } from '../base/fault.ts'

/**
 * The scopes of the tool that was called, and of no other: whoever only wants to know when to pray is never asked for more.
 * Without a tool, those that are public.
 */
const scopesFor = (scopes: readonly Scope[]): string => (scopes.length === 0 ? publicScopes : scopes).join(' ')

/** A 401 already names the metadata. */
export const namingScopes = <T>(scopes: readonly Scope[], work: () => Promise<T>): Promise<T> =>
  challenging(`scope="${scopesFor(scopes)}"`, work)

/** RFC 6750 section 3.1, and RFC 9728 section 5.1: 403. */
export const stepUp = (scopes: readonly Scope[], tool: string, baseUrl: string): Fault =>
  withChallenge(
    insufficientScope(scopesFor(scopes), `The tool ${tool} needs the scopes ${scopesFor(scopes)}.`),
    `resource_metadata="${metadataAddress(baseUrl, MCP_PATH)}"`,
  )

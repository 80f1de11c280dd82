// The credentials of open subscriptions → watched for as long as they are open: whoever holds one is told within a second that it
// grants something else now, or nothing any more.
import type { Credentials } from '../../access/credentials.ts'
import type { PresentingRequest } from '../../access/dpop/proof.ts'
import type { Grant } from '../../access/grant.ts'
import { Fault } from '../../base/fault.ts'

export interface SessionHolder {
  /** The grant is another one now. */
  onGrant(): void
  /** The grant could not be checked for a while, and is confirmed again. */
  onConfirmed(): void
  /** The credential is no longer valid. */
  onEnd(fault: Fault): void
}

export interface Session {
  readonly grant: Grant
  /** False while it cannot be checked: nothing is sent then. */
  readonly isConfirmed: boolean
  hold(holder: SessionHolder): void
  release(holder: SessionHolder): void
}

export interface Sessions {
  /** @throws {Fault} with status 401 if the credential is missing or invalid. */
  open(request: PresentingRequest): Promise<Session>
  /** Checks all that are held; called twice a second. */
  check(): void
}

interface Watched extends Session {
  grant: Grant
  isConfirmed: boolean
  isChecking: boolean
  readonly authorization: string | undefined
  readonly holders: Set<SessionHolder>
}

const UNAUTHORIZED = 401

export const createSessions = ({ recognise, authenticate, authenticateAgain }: Credentials): Sessions => {
  const held = new Map<string, Watched>()
  const keyOf = (authorization: string | undefined): string => authorization ?? ''

  const create = (authorization: string | undefined, grant: Grant): Watched => {
    const key = keyOf(authorization)
    const holders = new Set<SessionHolder>()
    const session: Watched = {
      authorization,
      grant,
      holders,
      isConfirmed: true,
      isChecking: false,
      hold: holder => {
        holders.add(holder)
        held.set(key, session)
      },
      release: holder => {
        holders.delete(holder)
        if (holders.size === 0 && held.get(key) === session) held.delete(key)
      },
    }
    return session
  }

  const end = (session: Watched, fault: Fault): void => {
    session.isConfirmed = false
    held.delete(keyOf(session.authorization))
    for (const holder of [...session.holders]) holder.onEnd(fault)
  }

  const confirm = (session: Watched, grant: Grant): void => {
    const wasConfirmed = session.isConfirmed
    const isOther = session.grant !== grant
    session.isConfirmed = true
    session.grant = grant
    if (isOther) for (const holder of [...session.holders]) holder.onGrant()
    if (!wasConfirmed) for (const holder of [...session.holders]) holder.onConfirmed()
  }

  const ask = async (session: Watched): Promise<void> => {
    session.isChecking = true
    try {
      confirm(session, await authenticateAgain(session.authorization))
    } catch (error) {
      if (error instanceof Fault && error.status === UNAUTHORIZED) end(session, error)
      else session.isConfirmed = false
    } finally {
      session.isChecking = false
    }
  }

  return {
    open: async request => {
      const { authorization } = request.headers
      const grant = recognise(authorization) ?? (await authenticate(request))
      const known = held.get(keyOf(authorization))
      if (known === undefined) return create(authorization, grant)
      confirm(known, grant)
      return known
    },
    check: () => {
      for (const session of held.values()) {
        const grant = recognise(session.authorization)
        if (grant !== undefined) confirm(session, grant)
        else if (!session.isChecking) void ask(session)
      }
    },
  }
}

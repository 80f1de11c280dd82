// The site's cookies: their names and flags by mode, set and cleared in one place.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_MAX_AGE_SECONDS } from '../../accounts/sessions.ts'

type CookieName = 'session' | 'browser' | 'language' | 'return' | 'challenge' | 'device'

export interface Cookies {
  read(request: FastifyRequest, name: CookieName): string | undefined
  write(reply: FastifyReply, name: CookieName, value: string): void
  clear(reply: FastifyReply, name: CookieName): void
}

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Undefined: a session cookie. */
const lifetimes: Readonly<Record<CookieName, number | undefined>> = {
  session: SESSION_MAX_AGE_SECONDS,
  browser: undefined,
  language: YEAR_SECONDS,
  return: 30 * 60,
  challenge: 10 * 60,
  device: YEAR_SECONDS,
}

/** With `__Host-`, browsers reject the cookie unless it is Secure, set by this host and has the path / (RFC 6265bis). */
export const createCookies = (production: boolean): Cookies => {
  const fullName = (name: CookieName): string => `${production ? '__Host-' : ''}minaret_${name}`
  const flags = { path: '/', httpOnly: true, sameSite: 'lax', secure: production } as const
  return {
    read: (request, name) => request.cookies[fullName(name)],
    write: (reply, name, value) => {
      const maxAge = lifetimes[name]
      reply.setCookie(fullName(name), value, maxAge === undefined ? flags : { ...flags, maxAge })
    },
    clear: (reply, name) => void reply.clearCookie(fullName(name), flags),
  }
}

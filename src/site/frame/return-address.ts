// Where a visitor was going before signing in ↔ a signed cookie; never a URL parameter, which would be an open redirect.
import type { Visit, Visits } from './visit.ts'

const LONGEST_PATH = 1000

/** Bound to the browser by the anti-forgery signature: a value planted by another site is ignored. */
export const rememberReturn = (
  { cookies, antiForgery }: Visits,
  { request, reply }: Visit,
  target: string = request.url,
): void => {
  if (target.length > LONGEST_PATH) return
  const path = Buffer.from(target).toString('base64url')
  cookies.write(reply, 'return', `${path}~${antiForgery.tokenFor(`return:${path}`)}`)
}

/** The path to return to, consumed; `fallback` if there is none. */
export const takeReturn = ({ cookies, antiForgery }: Visits, { request, reply }: Visit, fallback: string): string => {
  const [path = '', token] = (cookies.read(request, 'return') ?? '').split('~')
  cookies.clear(reply, 'return')
  if (!antiForgery.matches(`return:${path}`, token)) return fallback
  const target = Buffer.from(path, 'base64url').toString()
  // "//host" would be another site.
  return /^\/(?![/\\])/.test(target) ? target : fallback
}

// Where somebody wanted to go before signing in ↔ a cookie that we signed; it is never a parameter of an address.
import type { Visit, Visits } from './visit.ts'

const LONGEST_PATH = 1000

/** Bound to the browser by the anti-forgery signature: what another site plants there is not followed. */
export const rememberReturn = ({ cookies, antiForgery }: Visits, { request, reply }: Visit): void => {
  if (request.url.length > LONGEST_PATH) return
  const path = Buffer.from(request.url).toString('base64url')
  cookies.write(reply, 'return', `${path}~${antiForgery.tokenFor(`return:${path}`)}`)
}

/** The path to go back to, taken once; `fallback` where there is none. */
export const takeReturn = ({ cookies, antiForgery }: Visits, { request, reply }: Visit, fallback: string): string => {
  const [path = '', token] = (cookies.read(request, 'return') ?? '').split('~')
  cookies.clear(reply, 'return')
  if (!antiForgery.matches(`return:${path}`, token)) return fallback
  const target = Buffer.from(path, 'base64url').toString()
  // "//host" would be another site.
  return /^\/(?![/\\])/.test(target) ? target : fallback
}

// Rejects cross-site form posts.
import type { FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { ANTI_FORGERY_FIELD } from '../pieces/form.ts'
import type { Visit, Visits } from './visit.ts'

export const formExpired = (detail: string): Fault =>
  new Fault({
    code: 'form_expired',
    status: 403,
    message: 'This form has expired. Load the page again and send it once more.',
    detail,
  })

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/**
 * Browsers name the source of a request in `Sec-Fetch-Site`. Older ones send only `Origin`, which under our
 * `Referrer-Policy: no-referrer` is "null" even for our own forms (Fetch, section 3.2), so only an explicit foreign
 * origin is evidence.
 */
const checkSite = ({ headers }: FastifyRequest): void => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw formExpired(`sec-fetch-site: ${site}`)
    return
  }
  const { origin } = headers
  if (origin === undefined || origin === 'null') return
  if (hostOf(origin) !== headers.host) throw formExpired(`origin: ${origin}`)
}

export const checkForm = (visits: Visits, visit: Visit): void => {
  checkSite(visit.request)
  const token = visit.form.single(ANTI_FORGERY_FIELD)
  if (!visits.antiForgery.matches(visit.binding, token)) throw formExpired('the anti-forgery token does not match')
}

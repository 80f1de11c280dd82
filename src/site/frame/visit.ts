// A page request → the visitor, their language and their anti-forgery token.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AntiForgery, browserBinding, createAntiForgery, sessionBinding } from '../../accounts/anti-forgery.ts'
import { chooseLanguage, type Language } from '../../accounts/languages.ts'
import { findSession, type Session } from '../../accounts/sessions.ts'
import type { Secrets } from '../../base/secrets.ts'
import type { Database } from '../../db/database.ts'
import { textsFor } from '../texts/texts.ts'
import { type Cookies, createCookies } from './cookies.ts'
import { type FormValues, formValues } from './form-body.ts'
import type { View } from './view.ts'

export interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly view: View
  readonly session: Session | undefined
  readonly query: FormValues
  readonly form: FormValues
  readonly address: string
  /** The token by which we recognise this browser. */
  readonly device: string | undefined
  /** What this visit's forms are bound to. */
  readonly binding: string
}

export type SignedInVisit = Visit & { readonly session: Session }

export interface Visits {
  readonly cookies: Cookies
  readonly antiForgery: AntiForgery
  /** The visitor; whoever is not signed in is charged. @throws {Fault} `too_many_requests` */
  of(request: FastifyRequest, reply: FastifyReply): Promise<Visit>
  /** Of whoever has no cookie of ours but that of a language: no cookie is set, and there is no token for forms. */
  viewOfStranger(request: FastifyRequest): View
  /** As if signed out: for error pages while the database is down. */
  ofNobody(request: FastifyRequest, reply: FastifyReply): Visit
}

export interface VisitsInput {
  readonly database: Database
  readonly secrets: Secrets
  readonly production: boolean
}

const languageOf = (request: FastifyRequest, cookie: string | undefined, session: Session | undefined): Language => {
  const header = request.headers['accept-language']
  const uiLocales = formValues(request.query).text('ui_locales')
  return chooseLanguage({ uiLocales, cookie, user: session?.user.language, acceptLanguage: header })
}

export const createVisits = ({ database, secrets, production }: VisitsInput): Visits => {
  const cookies = createCookies(production)
  const antiForgery = createAntiForgery(secrets)

  const bindingOf = (request: FastifyRequest, reply: FastifyReply, session: Session | undefined): string => {
    if (session !== undefined) return sessionBinding(session.id)
    const known = antiForgery.readBrowserCookie(cookies.read(request, 'browser'))
    if (known !== undefined) return browserBinding(known)
    const cookie = antiForgery.newBrowserCookie()
    cookies.write(reply, 'browser', cookie)
    return browserBinding(antiForgery.readBrowserCookie(cookie) ?? '')
  }

  /** A language chosen by a link is kept for later pages. */
  const rememberLanguage = (request: FastifyRequest, reply: FastifyReply, language: Language): void => {
    const asked = formValues(request.query).text('ui_locales') !== ''
    if (asked && cookies.read(request, 'language') !== language) cookies.write(reply, 'language', language)
  }

  const visitWith = (request: FastifyRequest, reply: FastifyReply, session: Session | undefined): Visit => {
    const language = languageOf(request, cookies.read(request, 'language'), session)
    rememberLanguage(request, reply, language)
    const binding = bindingOf(request, reply, session)
    const view: View = {
      language,
      texts: textsFor(language),
      user: session?.user,
      antiForgery: antiForgery.tokenFor(binding),
      here: request.url,
      development: !production,
    }
    const [query, form] = [formValues(request.query), formValues(request.body)]
    const device = cookies.read(request, 'device')
    return { request, reply, view, session, query, form, address: request.clientAddress, device, binding }
  }

  return {
    cookies,
    antiForgery,
    of: async (request, reply) => {
      const token = cookies.read(request, 'session')
      const session =
        token === undefined ? undefined : await findSession(database, token, { factorRequired: production })
      if (session === undefined) request.chargeStranger()
      return visitWith(request, reply, session)
    },
    viewOfStranger: request => {
      const language = languageOf(request, cookies.read(request, 'language'), undefined)
      const [texts, here] = [textsFor(language), request.url]
      return { language, texts, user: undefined, antiForgery: '', here, development: !production }
    },
    ofNobody: (request, reply) => visitWith(request, reply, undefined),
  }
}

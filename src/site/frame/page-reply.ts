// A page, a redirect or a file → the reply, with the headers that keep pages safe.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Html } from '../pieces/html.ts'

export interface PageAnswer {
  readonly kind: 'page'
  readonly html: Html
  readonly status: number
  /** Where this page's forms may lead besides our own origin, as CSP sources. */
  readonly formTargets: readonly string[]
  /** For a page with a script: the origins it may fetch from, as CSP sources. */
  readonly scriptAsks: readonly string[] | undefined
  /** A content policy of its own, instead of the usual one. */
  readonly policy: string | undefined
}

export interface RedirectAnswer {
  readonly kind: 'redirect'
  readonly to: string
}

/** A download, written piece by piece as it is read. */
export interface FileAnswer {
  readonly kind: 'file'
  /** Our own: it is not escaped. */
  readonly name: string
  readonly contentType: string
  readonly body: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

/** For a script of ours. */
export interface JsonAnswer {
  readonly kind: 'json'
  readonly value: unknown
}

export type Answer = PageAnswer | RedirectAnswer | FileAnswer | JsonAnswer

export const showPage = (
  html: Html,
  options: Partial<Pick<PageAnswer, 'status' | 'formTargets' | 'scriptAsks' | 'policy'>> = {},
): PageAnswer => ({
  kind: 'page',
  html,
  status: options.status ?? 200,
  formTargets: options.formTargets ?? [],
  scriptAsks: options.scriptAsks,
  policy: options.policy,
})

/** 303, so that the browser follows with GET and never resends a password. */
export const redirectTo = (to: string): RedirectAnswer => ({ kind: 'redirect', to })

export const sendJson = (value: unknown): JsonAnswer => ({ kind: 'json', value })

export const sendFile = (file: Omit<FileAnswer, 'kind'>): FileAnswer => ({ kind: 'file', ...file })

/**
 * Chromium applies `form-action` to every redirect that follows a form post. After sign-in and consent these lead to the
 * app, and often from its server to its pages, so the scheme of its redirect URI is allowed rather than one host.
 */
export const formTargetsFor = (redirectUri: string): string[] => {
  const scheme = new URL(redirectUri).protocol
  return scheme === 'https:' ? ['https:'] : ['https:', scheme]
}

export const contentPolicy = ({ formTargets, scriptAsks, policy }: PageAnswer): string =>
  policy ??
  [
    "default-src 'none'",
    ...(scriptAsks === undefined ? [] : ["script-src 'self'", `connect-src ${scriptAsks.join(' ')}`]),
    "style-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/** Headers of every page. */
export const pageHeaders = (production: boolean): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(production ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

export const sendAnswer = (reply: FastifyReply, answer: Answer, production: boolean): FastifyReply => {
  if (answer.kind === 'redirect') return reply.header('cache-control', 'no-store').redirect(answer.to, 303)
  if (answer.kind === 'file')
    return reply
      .headers({ ...pageHeaders(production), 'content-type': answer.contentType })
      .header('content-disposition', `attachment; filename="${answer.name}"`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(Readable.from(answer.body))
  if (answer.kind === 'json')
    return reply
      .headers({ ...pageHeaders(production), 'content-type': 'application/json; charset=utf-8' })
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(JSON.stringify(answer.value))
  return reply
    .status(answer.status)
    .headers(pageHeaders(production))
    .header('content-security-policy', contentPolicy(answer))
    .send(answer.html.text)
}

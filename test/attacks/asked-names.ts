// The source → the names of everything that pages, forms and feeds read of a request, so that none is left out once it is added.
import { globSync, readFileSync } from 'node:fs'

const folder = new URL('../../src/', import.meta.url).pathname
const readByName = /\b(?:query|form|parameters|values|typed|given)\.(?:text|exact|list|single)\('(\w+)'/g
const queries = /Querystring: \{([^}]*)\}/g

const readOfOauth = /\bparameters\.(?!ts\b)([a-z_]+)\b/g

/** Parameters of OAuth that are read from a table, or in several at once. */
const ofOauth = [
  ...[
    'client_id',
    'redirect_uri',
    'response_type',
    'state',
    'scope',
    'nonce',
    'max_age',
    'prompt',
    'acr_values',
    'claims',
    'ui_locales',
  ],
  ...[
    'request_uri',
    'resource',
    'login_hint',
    'code_challenge',
    'code_challenge_method',
    'response_mode',
    'id_token_hint',
  ],
  ...[
    'grant_type',
    'code',
    'code_verifier',
    'refresh_token',
    'client_secret',
    'client_assertion',
    'client_assertion_type',
    'device_code',
  ],
  ...['token', 'token_type_hint', 'post_logout_redirect_uri', 'user_code'],
]

const namesIn = (text: string): string[] => [
  ...[...text.matchAll(readByName)].map(([, name = '']) => name),
  ...[...text.matchAll(queries)].flatMap(([, names = '']) => names.match(/\w+(?=\??:)/g) ?? []),
]

export const askedNames = (): string[] => {
  const texts = globSync(`${folder}**/*.ts`).map(path => readFileSync(path, 'utf8'))
  const oauth = globSync(`${folder}oauth/**/*.ts`).map(path => readFileSync(path, 'utf8'))
  const read = oauth.flatMap(text => [...text.matchAll(readOfOauth)].map(([, name = '']) => name))
  return [...new Set([...texts.flatMap(namesIn), ...read, ...ofOauth])].toSorted()
}

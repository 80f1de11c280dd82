// The whole service with the fixture, an approved app and its key: `post(query)` over HTTP.
import { dataScopes, type Scope } from '../../src/access/scopes.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type TestMinaret, useMinaret } from '../support/minaret.ts'
import { fixtureTemplate } from './fixture.ts'

export interface Api {
  readonly minaret: TestMinaret
  readonly url: string
  readonly key: string
  /** A POST with the key; `body` is sent as JSON unless it is a string. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>
  get(parameters: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  keyWith(scopes: readonly Scope[]): Promise<string>
}

const apiOf = async (minaret: TestMinaret): Promise<Api> => {
  const { database } = minaret.service
  const app = await makeApp(database, { scopes: dataScopes })
  const keyWith = async (scopes: readonly Scope[]) => (await makeKey(database, { appId: app.id, scopes })).key
  const key = await keyWith(dataScopes)
  const url = `${minaret.baseUrl}/v1/graphql`
  return {
    minaret,
    url,
    key,
    keyWith,
    post: (body, headers = {}) =>
      fetch(url, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
      }),
    get: (parameters, headers = {}) =>
      fetch(`${url}?${new URLSearchParams(parameters)}`, { headers: { authorization: `Bearer ${key}`, ...headers } }),
  }
}

export const useApi = (
  environment: Record<string, string> = {},
  prepare: (minaret: TestMinaret) => Promise<void> = async () => undefined,
): (() => Api) => {
  let api: Api | undefined
  useMinaret(
    environment,
    async minaret => {
      await prepare(minaret)
      api = await apiOf(minaret)
    },
    { template: fixtureTemplate },
  )
  return () => {
    if (api === undefined) throw new Error('The service is not running yet.')
    return api
  }
}

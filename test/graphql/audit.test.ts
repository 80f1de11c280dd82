// The audit of the GraphQL-over-HTTP specification, one test per check: no errors and no warnings.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serverAudits } from 'graphql-http'
import { dataScopes } from '../../src/access/scopes.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'

/** Each endpoint by name, with the credential it needs. */
const auditAll = (url: () => string, authorization: () => string | undefined): void => {
  const fetchFn = (address: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const credential = authorization()
    if (credential !== undefined) headers.set('authorization', credential)
    return fetch(address, { ...init, headers })
  }
  for (const audit of serverAudits({ url, fetchFn }))
    test(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn()
      assert.equal(result.status, 'ok', 'reason' in result ? result.reason : '')
    })
}

describe('the GraphQL-over-HTTP audit', () => {
  let key: string | undefined
  const minaret = useMinaret({}, async ({ service: { database } }) => {
    const app = await makeApp(database, { scopes: dataScopes })
    key = (await makeKey(database, { appId: app.id, scopes: dataScopes })).key
  })

  describe('with an API key', () =>
    auditAll(
      () => `${minaret().baseUrl}/v1/graphql`,
      () => `Bearer ${key}`,
    ))

  describe('of the view for Relay', () =>
    auditAll(
      () => `${minaret().baseUrl}/v1/relay`,
      () => `Bearer ${key}`,
    ))

  describe('of the sandbox, without a credential', () =>
    auditAll(
      () => `${minaret().sandboxUrl}/v1/graphql`,
      () => undefined,
    ))
})

// The protocol's own client library, unmodified: metadata, authorization in Chromium, a tool call, step-up, refresh.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { randomToken } from '../../src/base/secrets.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { inPage, noBrowser, useBrowser } from '../support/browser.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { CLIENT_ID, documentFor, type MetadataHost, openMetadataHost } from './metadata-host.ts'

let host: MetadataHost
let minaret: TestMinaret
const browser = useBrowser()
before(async () => {
  host = await openMetadataHost()
  host.serve(CLIENT_ID, documentFor(CLIENT_ID))
  minaret = await startTestMinaret({}, { dial: host.dial })
})
after(async () => {
  await minaret.stop()
  await host.close()
})

type DiscoveryState = Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0]

/** The program on the person's machine that waits for the code. */
const openCallback = async () => {
  const arrived: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/callback') arrived.push(searchParams)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>You can close this page.</h1>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { arrived, uri: `http://127.0.0.1:${port}/callback`, close: () => server.close() }
}

/** What a program keeps; the library does everything else. */
const createProvider = (redirectUrl: string) => {
  const kept: {
    client?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens
    verifier?: string
    sentTo?: URL
    discovery?: DiscoveryState
  } = {}
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadataUrl: CLIENT_ID,
    clientMetadata: {
      client_name: 'Helpful Assistant',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    state: () => randomToken(16),
    clientInformation: () => kept.client,
    saveClientInformation: client => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: tokens => {
      kept.tokens = tokens
    },
    redirectToAuthorization: url => {
      kept.sentTo = url
    },
    saveCodeVerifier: verifier => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: state => {
      kept.discovery = state
    },
    discoveryState: () => kept.discovery,
  }
  return { provider, kept }
}

const signIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the client library finds its way, steps up and refreshes', { skip: noBrowser }, async () => {
  const user = await makeUser(minaret.service.database)
  const callback = await openCallback()
  const { provider, kept } = createProvider(callback.uri)
  const open = () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${minaret.baseUrl}/mcp`), { authProvider: provider })
    return { transport, client: new Client({ name: 'Helpful Assistant', version: '1' }) }
  }
  try {
    await inPage(browser(), {}, async page => {
      /** The library sends the person to the browser, and goes on with what comes back. */
      const authorize = async (transport: StreamableHTTPClientTransport, first: boolean): Promise<void> => {
        await page.goto(String(kept.sentTo))
        if (first) await signIn(page, user.email)
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(`${callback.uri}**`)
        await transport.finishAuth(callback.arrived.at(-1) as URLSearchParams)
      }
      const begun = open()
      await assert.rejects(begun.client.connect(begun.transport), { name: 'UnauthorizedError' })
      assert.equal(kept.sentTo?.searchParams.get('resource'), `${minaret.baseUrl}/mcp`)
      assert.equal(kept.sentTo?.searchParams.get('client_id'), CLIENT_ID)
      await authorize(begun.transport, true)

      const { client, transport } = open()
      await client.connect(transport)
      const { tools } = await client.listTools()
      assert.ok(tools.some(({ name }) => name === 'get_next_prayer'))
      const found = await client.callTool({ name: 'find_masjids', arguments: { words: 'nowhere' } })
      assert.deepEqual(found.structuredContent, { masjids: [], more: false })

      const giving = { name: 'get_my_giving', arguments: { year: 2025 } }
      await assert.rejects(client.callTool(giving), { name: 'UnauthorizedError' })
      assert.match(kept.sentTo?.searchParams.get('scope') ?? '', /donations:read/)
      await authorize(transport, false)
      const given = await client.callTool(giving)
      assert.deepEqual(given.structuredContent, { year: 2025, totals: [] })

      const before = kept.tokens
      assert.ok(before !== undefined)
      kept.tokens = { ...before, access_token: 'no.longer.valid' }
      await client.callTool(giving)
      assert.notEqual(kept.tokens.refresh_token, before.refresh_token)
      assert.notEqual(kept.tokens.access_token, 'no.longer.valid')
      await client.close()
    })
  } finally {
    callback.close()
  }
})

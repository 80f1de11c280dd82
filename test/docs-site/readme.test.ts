import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { useMinaret } from '../support/minaret.ts'
import { makeClient } from '../support/oauth.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const run = promisify(execFile)

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The curl blocks of a document, in reading order. */
const curlBlocks = (markdown: string): string[] =>
  [...markdown.matchAll(/```sh\n(.*?)```/gs)].map(match => match[1] ?? '').filter(block => /^curl /m.test(block))

const here = (block: string): string =>
  block.replaceAll('http://localhost:3000', minaret().baseUrl).replaceAll('http://localhost:3001', minaret().sandboxUrl)

/** As a person would paste it into a shell. */
const paste = async (block: string, variables: Record<string, string>): Promise<Record<string, unknown>> => {
  const environment = { PATH: process.env.PATH, ...variables }
  const { stdout } = await run('sh', ['-euc', here(block).replaceAll(/^curl /gm, 'curl -sS ')], { env: environment })
  return JSON.parse(stdout) as Record<string, unknown>
}

test('the curl commands of the README work when pasted one after the other', async () => {
  const blocks = curlBlocks(readme)
  assert.ok(blocks.length >= 3, `${blocks.length} blocks`)
  const app = await makeClient(minaret().service.database, {
    kind: 'confidential',
    scopes: 'masjid:read prayer-times:read',
  })
  const variables: Record<string, string> = { CLIENT_ID: app.clientId, CLIENT_SECRET: app.secret }
  for (const block of blocks) {
    const answer = await paste(block, variables)
    assert.equal(answer.errors ?? answer.error, undefined, `${block}\n${JSON.stringify(answer)}`)
    if (typeof answer.access_token === 'string') variables.ACCESS_TOKEN = answer.access_token
    else assert.ok(answer.data !== undefined, block)
  }
  assert.ok(variables.ACCESS_TOKEN !== undefined, 'one of them got a token')
})

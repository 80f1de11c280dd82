// The conformance suite of the Model Context Protocol, as a program of its own, against the running service.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { useMinaret } from '../support/minaret.ts'
import { applicable, leftOut } from './conformance-scenarios.ts'

const program = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
const minaret = useMinaret()
/** Where the program leaves its results. */
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'minaret-mcp-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const run = async (words: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { cwd: folder })
  return stdout
}

test('every server scenario of the suite is run, or left out for a reason', async () => {
  const listed = [...(await run(['list', '--server'])).matchAll(/^\s*-\s+([a-z0-9-]+)/gm)].map(([, name]) => name)
  assert.ok(listed.length > 20)
  assert.deepEqual(listed.toSorted(), [...applicable, ...Object.keys(leftOut)].toSorted())
})

for (const scenario of applicable)
  test(`${scenario} passes`, async () => {
    const url = `${minaret().sandboxUrl}/mcp`
    const said = await run(['server', '--url', url, '--scenario', scenario])
    assert.match(said, /Passed|SUCCESS|WARNING|✓/i)
    assert.doesNotMatch(said, /FAILURE|✗/)
  })

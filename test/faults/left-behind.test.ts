// What a test leaves behind when its process is killed, as the runner does at the end of a run that is called off.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { within } from '../support/oauth.ts'
import { answers } from './balancer.ts'

const folder = mkdtempSync(join(tmpdir(), 'minaret-left-behind-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const START = `
const { startNginx } = await import(${JSON.stringify(new URL('balancer.ts', import.meta.url).href)})
const { url } = await startNginx(${JSON.stringify(join(folder, 'nginx'))}, [1])
console.log(url)
setInterval(() => undefined, 1000)`

test('a balancer ends with the process that started it, even one that is killed', async () => {
  const starter = spawn(process.execPath, ['--input-type=module', '-e', START], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(starter.stdout, 'data')
  const port = Number(new URL(String(line).trim()).port)
  assert.ok(await answers(port))
  starter.kill('SIGKILL')
  await within(60_000, 'the balancer has ended', async () => !(await answers(port)))
})

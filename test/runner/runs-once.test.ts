// The meaning of a red run: the runner gets files that fail, and must report it.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('../../scripts/run-tests.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'minaret-runner-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

// The inner test runner must not attach itself to this one.
const { NODE_TEST_CONTEXT: _, ...environment } = process.env

const run = (files: readonly string[]): Promise<{ status: number; output: string }> =>
  new Promise(resolve => {
    execFile(process.execPath, [runner, ...files], { env: environment }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    )
  })

test('a failing file is not retried until it passes', async () => {
  const times = write('times', '')
  const file = write(
    'once.test.mjs',
    `import { appendFileSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
test('fails the first time', () => {
  appendFileSync(${JSON.stringify(times)}, 'x')
  if (readFileSync(${JSON.stringify(times)}, 'utf8') === 'x') throw new Error('the first time')
})`,
  )
  const other = write('other.test.mjs', `import { test } from 'node:test'\ntest('passes', () => undefined)`)
  const { status, output } = await run([file, other])
  assert.equal(status, 1)
  assert.equal(readFileSync(times, 'utf8'), 'x')
  assert.match(output, /^Property tests: seed \d+/m)
  assert.match(output, /^Flaky tests: /m)
  assert.match(output, /ℹ pass 1\nℹ fail 1\n/)
})

test('a listed test that fails is counted as todo, and the run passes', async () => {
  const file = write(
    'listed.test.mjs',
    `import { test } from 'node:test'\ntest('sometimes', { todo: 'flaky (oauth): the clock' }, () => { throw new Error('now') })`,
  )
  const { status, output } = await run([file])
  assert.equal(status, 0, output)
  assert.match(output, /flaky \(oauth\): the clock/)
  assert.match(output, /ℹ todo 1\n/)
})

test('the summary is that of the test runner', async () => {
  const file = write('closing.test.mjs', `import { test } from 'node:test'\ntest('passes', () => undefined)`)
  const { output } = await run([file])
  assert.match(output, /ℹ tests 1\n(ℹ \w+ \d+\n){6}ℹ duration_ms [\d.]+\n(CPU time of the tests: \d+ s\.\n)?$/)
})

test('files that share a process keep their hooks to themselves, and one that breaks does not stop the next', async () => {
  const hooked = (name: string): string =>
    write(
      `${name}.test.mjs`,
      `import { after, before, test } from 'node:test'
let hooks = 0
before(() => { hooks += 1 })
after(() => { throw new Error('the hook of ${name}') })
test('${name} ran in process ' + process.pid, () => undefined)
test('${name}', () => { if (hooks !== 1) throw new Error(String(hooks)) })`,
    )
  const broken = write('broken.test.mjs', `import './nowhere.mjs'`)
  const unprepared = write(
    'unprepared.test.mjs',
    `import { before, test } from 'node:test'\nbefore(() => { throw new Error('not prepared') })\ntest('idle', () => undefined)`,
  )
  const { status, output } = await run([hooked('a'), broken, unprepared, hooked('z')])
  assert.equal(status, 1)
  assert.match(output, /✔ a \(/)
  assert.match(output, /✔ z \(/)
  assert.match(output, /✖ the file loads/)
  assert.match(output, /not prepared/)
  assert.match(output, /the hook of a/)
  assert.match(output, /the hook of z/)
  const processes = [...output.matchAll(/[az] ran in process (\d+)/g)].map(([, pid]) => pid)
  assert.equal(processes.length >= 2 && new Set(processes).size, 1, output)
})

test('a run whose output nobody reads any more, as in `npm test | head`, ends what it has begun and itself', async () => {
  const file = write(
    'endless.test.mjs',
    `import { test } from 'node:test'
test('says something', () => console.log('line\\n'.repeat(50000)))
test('takes long', () => new Promise(resolve => setTimeout(resolve, 600_000)))`,
  )
  const running = spawn(process.execPath, [runner, file], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  running.stderr.on('data', chunk => {
    said += chunk
  })
  running.stdout.once('data', () => running.stdout.destroy())
  const [status] = await once(running, 'exit')
  assert.equal(status, 1, said)
  assert.doesNotMatch(said, /unsettled|EPIPE/)
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a run that is ended does not wait without end for a file that catches the signal', async () => {
  const file = write(
    'deaf.test.mjs',
    `import { test } from 'node:test'
process.on('SIGTERM', () => undefined)
test('goes on and on', () => {
  console.log('I am process ' + process.pid)
  return new Promise(resolve => setTimeout(resolve, 600_000))
})`,
  )
  const running = spawn(process.execPath, [runner, file], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(running, 'exit')
  let pid = 0
  try {
    pid = await new Promise<number>(found => {
      let said = ''
      running.stdout.on('data', chunk => {
        said += chunk
        const [, number] = /I am process (\d+)\n/.exec(said) ?? []
        if (number !== undefined) found(Number(number))
      })
    })
    running.kill('SIGTERM')
    const ended = await Promise.race([exited, wait(60_000, undefined, { ref: false })])
    assert.deepEqual(ended, [1, null])
    assert.equal(isAlive(pid), false)
  } finally {
    running.kill('SIGKILL')
    if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL')
  }
})

// deploy/Dockerfile names only what exists: files, ports, settings, commands. Building it is test/deploy/build-image.test.ts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { runCommand } from '../support/process.ts'
import { instructions, stages } from './dockerfile.ts'
import { readDeployed, root, unknownSettings } from './settings.ts'

const file = readDeployed('Dockerfile')
const all = instructions(file)
const last = stages(all).at(-1) ?? []

const only = (name: string): string => {
  const found = last.filter(instruction => instruction.name === name)
  assert.equal(found.length, 1, name)
  return found[0]?.text ?? ''
}

test('every copied file exists and is let through by .dockerignore', () => {
  const copied = all.filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
  assert.ok(copied.length >= 5)
  for (const { text } of copied)
    for (const path of text.split(/\s+/).slice(0, -1)) {
      assert.ok(existsSync(`${root}${path}`), path)
      assert.ok(ignored.includes(`!${path}`), `${path} in .dockerignore`)
    }
})

const ignored = readDeployed('../.dockerignore').split('\n')

test('what the source reads from other folders is in the image', () => {
  const folders = new Set(
    globSync('src/**/*.ts', { cwd: root })
      .filter(path => !path.endsWith('.test.ts'))
      .flatMap(path => [...readDeployed(`../${path}`).matchAll(/new URL\([`'](?:\.\.\/)+(\w+)\//g)])
      .map(found => found[1]),
  )
  assert.ok(folders.has('migrations') && folders.has('docs'), [...folders].join())
  const copied = last.filter(({ name }) => name === 'COPY').map(({ text }) => text.split(/\s+/).at(-1))
  for (const folder of folders)
    if (existsSync(`${root}${folder}`)) assert.ok(copied.includes(folder), `${folder} is copied`)
})

test('copies from a stage that exists, and bases are usual images by their short names', () => {
  const bases = all.filter(({ name }) => name === 'FROM').map(({ text }) => text)
  assert.deepEqual(
    bases.map(text => /^[a-z]+:[\w.-]+( AS [a-z]+)?$/.test(text)),
    bases.map(() => true),
  )
  const named = bases.map(text => text.split(' AS ')[1]).filter(Boolean)
  for (const { text } of all.filter(({ name }) => name === 'COPY'))
    if (text.startsWith('--from=')) assert.ok(named.includes(/--from=(\w+)/.exec(text)?.[1]), text)
})

test('it is not root, opens the default ports, and sets nothing that the service does not know', () => {
  assert.match(only('USER'), /^[1-9]\d+:[1-9]\d+$/)
  const { port, sandboxPort } = readConfig({})
  assert.equal(only('EXPOSE'), `${port} ${sandboxPort}`)
  const environment = Object.fromEntries(
    only('ENV')
      .split(/\s+/)
      .map(pair => pair.split('=')),
  )
  assert.deepEqual(unknownSettings(environment), [])
  assert.equal(environment.NODE_ENV, 'production')
})

test('its command is one of ours, and its entry point exists', async () => {
  const entry = JSON.parse(only('ENTRYPOINT')) as string[]
  const command = JSON.parse(only('CMD')) as string[]
  assert.ok(existsSync(`${root}${entry.at(-1)}`))
  const { status } = await runCommand([...command, '--help'])
  assert.equal(status, 0)
})

test('its health check asks the process in the container', async () => {
  const [, program, path] = /CMD (\[.*\])/.exec(only('HEALTHCHECK'))?.[1]?.match(/"(\w+)", "([\w./-]+)"/) ?? []
  assert.equal(program, 'node')
  assert.ok(existsSync(`${root}${path}`))
  let answer = 200
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(String(request.url))
    response.writeHead(answer).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const check = (port: number): Promise<number | null> =>
    new Promise(resolve => {
      const child = spawn(process.execPath, [`${root}${path}`], { env: { PORT: String(port) } })
      child.once('exit', resolve)
    })
  const { port } = server.address() as AddressInfo
  assert.equal(await check(port), 0)
  answer = 500
  assert.equal(await check(port), 1)
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  assert.equal(await check(port), 1)
  assert.deepEqual(asked, ['/healthz', '/healthz'])
})

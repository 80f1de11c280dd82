// Uploads that take too long, on a server of their own: the service waits for minutes.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import fastify from 'fastify'
import type { PageFrame } from '../../frame/page-routes.ts'
import { fileOf, receiveFiles } from './receive-files.ts'

const server = fastify()
const frame = { visits: { of: async () => ({ session: { user: { id: 'amina' } } }) } } as unknown as PageFrame

before(async () => {
  server.decorateRequest('deadline', undefined)
  await receiveFiles(server, frame, { uploadMs: 2000 })
  server.post('/', async ({ body }) => fileOf(body, 'sheet')?.bytes.toString() ?? 'nothing')
  await server.listen({ host: '127.0.0.1', port: 0 })
})
after(() => server.close())

const address = (): string => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`

test('an upload that stops halfway is answered, and its connection closed', async () => {
  const closed = Promise.withResolvers<void>()
  const status = await new Promise((resolve, reject) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 5000 }
    const asked = request(address(), { method: 'POST', headers, agent: false }, response =>
      resolve(response.statusCode),
    )
    asked.on('error', reject)
    asked.on('socket', socket => socket.on('close', () => closed.resolve()))
    asked.write('--x\r\nContent-Disposition: form-data; name="sheet"; filename="a.csv"\r\n\r\nDate,')
  })
  assert.equal(status, 408)
  await closed.promise
})

test('one that arrives in time is read', async () => {
  const form = new FormData()
  form.set('sheet', new Blob(['Date,Fajr']), 'a.csv')
  const response = await fetch(address(), { method: 'POST', body: form })
  assert.equal(await response.text(), 'Date,Fajr')
})

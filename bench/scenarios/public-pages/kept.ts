// A page → how many bytes it is on the wire, once it comes from memory: otherwise its figures would say nothing about that.
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { browserHeaders } from '../../load/clients.ts'
import type { Page } from './pages.ts'

export interface Watched {
  readonly port: number
  readonly metricsPort: number
}

/** As it came: `fetch` would decompress it. */
const bytesOf = (port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get({ port, path, host: '127.0.0.1', headers: { ...browserHeaders(0) } }, response => {
      let bytes = 0
      response.on('data', piece => {
        bytes += piece.length
      })
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${response.statusCode}`)),
      )
    }).on('error', reject)
  })

const hits = async ({ metricsPort }: Watched): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^minaret_pages_lookups_total\{[^}]*outcome="hit"[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0)
}

const TRIES = 100
const PAUSE_MS = 100

export const bytesWhenKept = async (server: Watched, { name, paths }: Page): Promise<number> => {
  const path = paths[0] ?? '/'
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await hits(server)
    const bytes = await bytesOf(server.port, path)
    if ((await hits(server)) > before) return bytes
    await delay(PAUSE_MS)
  }
  throw new Error(`${name} does not come from memory.`)
}

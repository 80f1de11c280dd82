// A service that has started → one whose pages were made once: what is compiled, planned and read when a page is first made is there when
// the first visitor comes, and the start waits for none of it.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Engine } from '../graphql/create-graphql.ts'
import { askPublic } from '../site/frame/ask-public.ts'

/** Of nobody, so that it is charged to no visitor. */
const NOWHERE = '0.0.0.0'

/** Those who are there already come first, and between any two pages everybody has their turn. */
const FIRST_MS = 100
const PAUSE_MS = 50

const ANY_MASJID = '{ up_masjids(order_by: [{id: asc}], limit: 1) { slug } }'

const anyMasjid = async (engine: Engine): Promise<string[]> => {
  const { up_masjids: found } = await askPublic<{ readonly up_masjids: readonly { readonly slug: string }[] }>(engine, {
    query: ANY_MASJID,
    variables: {},
    address: NOWHERE,
  })
  return found.flatMap(({ slug }) => [`/m/${slug}`, `/m/${slug}/prayer-times.ics`])
}

/** Dearest first. */
const pages = ['/', '/docs', '/find?q=masjid'] as const

export interface WarmUp {
  /** Nobody waits for it, and whatever fails is told to those who ask for the page. */
  run(): Promise<void>
  /** From now on no page is made any more. */
  leave(): void
  /** Resolves when the page in progress is made, while what it needs is still there. */
  ended(): Promise<void>
}

export const createWarmUp = (main: Pick<FastifyInstance, 'inject'>, engine: Engine): WarmUp => {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined
  const visit = async (url: string): Promise<void> => {
    await delay(PAUSE_MS, undefined, { ref: false, signal })
    await main.inject({ url, remoteAddress: NOWHERE, headers: { accept: 'text/html' } })
  }
  const visitAll = async (): Promise<void> => {
    await delay(FIRST_MS, undefined, { ref: false, signal })
    for (const url of pages) await visit(url)
    signal.throwIfAborted()
    for (const url of await anyMasjid(engine)) await visit(url)
  }
  return {
    run: () => {
      // The database went away, or the service is stopping.
      running = visitAll().catch(() => undefined)
      return running
    },
    leave: () => stopping.abort(),
    ended: () => running ?? Promise.resolve(),
  }
}

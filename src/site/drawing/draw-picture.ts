// An SVG of ours → PNG, drawn on a thread of its own; those who ask take turns.
import { createFairTurns } from '../../base/fair-turns.ts'
import { type Kept, keepInTurns, keepNothing } from '../../base/keep-in-turns.ts'
import { sha256Base64url } from '../../base/secrets.ts'
import { createSideThread, type SideThread } from '../../threads/side-thread.ts'
import type { DrawingTasks } from './drawing-thread.ts'

/** @param who whose turn it takes: a network address, or a masjid */
export type DrawPicture = (who: string, svg: string) => Promise<Buffer>

export type Drawing = SideThread<DrawingTasks>

/** The thread starts with the first picture: most processes never draw one. */
export const openDrawing = (): Drawing =>
  createSideThread<DrawingTasks>({ script: new URL('./drawing-thread.ts', import.meta.url), name: 'drawing' })

const TURNS = { atOnce: 2, atOnceEach: 1, mostWaiting: 400, mostWaitingEach: 100, mostMs: 15_000 }

/** @param kept pictures by a hash of their drawing: a flood of requests for the same one costs one, whatever its addresses. */
export const createDrawing = (drawing: Drawing, kept: Kept<Buffer> = keepNothing): DrawPicture => {
  const keep = keepInTurns(createFairTurns(TURNS), kept)
  return (who, svg) => keep(who, sha256Base64url(svg), async () => Buffer.from(await drawing.run(who, 'draw', svg)))
}

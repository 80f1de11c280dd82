// An SVG of ours → PNG, drawn outside the thread that serves requests, a few at a time; those who ask take turns.
import { createRequire } from 'node:module'
import { createFairTurns } from '../../base/fair-turns.ts'
import { type Kept, keepInTurns } from '../../base/keep-in-turns.ts'
import { sha256Base64url } from '../../base/secrets.ts'

const require = createRequire(import.meta.url)

/** Cairo has Latin and Arabic letters; SIL Open Font License. */
const fontFiles = [
  require.resolve('@expo-google-fonts/cairo/400Regular/Cairo_400Regular.ttf'),
  require.resolve('@expo-google-fonts/cairo/700Bold/Cairo_700Bold.ttf'),
]

/** @param who whose turn it takes: a network address, or a masjid */
export type DrawPicture = (who: string, svg: string) => Promise<Buffer>

const keepNothing: Kept<Buffer> = { get: () => undefined, set: () => undefined }

const TURNS = { atOnce: 2, atOnceEach: 1, mostWaiting: 400, mostWaitingEach: 100, mostMs: 15_000 }

const render = async (svg: string): Promise<Buffer> => {
  // Loaded with the first picture: most processes never draw one.
  const { renderAsync } = await import('@resvg/resvg-js')
  const image = await renderAsync(svg, {
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Cairo' },
  })
  return image.asPng()
}

/** @param kept pictures by a hash of their drawing: a flood of requests for the same one costs one, whatever its addresses. */
export const createDrawing = (kept: Kept<Buffer> = keepNothing): DrawPicture => {
  const keep = keepInTurns(createFairTurns(TURNS), kept)
  return (who, svg) => keep(who, sha256Base64url(svg), () => render(svg))
}

// An SVG of ours → PNG, drawn outside the thread that serves requests, a few at a time.
import { createRequire } from 'node:module'
import { createTurns } from '../../base/take-turns.ts'

const require = createRequire(import.meta.url)

/** Cairo has Latin and Arabic letters; SIL Open Font License. */
const fontFiles = [
  require.resolve('@expo-google-fonts/cairo/400Regular/Cairo_400Regular.ttf'),
  require.resolve('@expo-google-fonts/cairo/700Bold/Cairo_700Bold.ttf'),
]

export type DrawPicture = (svg: string) => Promise<Buffer>

export const createDrawing = (): DrawPicture => {
  const turn = createTurns({ atOnce: 2, mostWaiting: 20 })
  return svg =>
    turn(async () => {
      // Loaded with the first picture: most processes never draw one.
      const { renderAsync } = await import('@resvg/resvg-js')
      const image = await renderAsync(svg, {
        font: { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Cairo' },
      })
      return image.asPng()
    })
}

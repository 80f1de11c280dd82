// The thread that draws pictures: SVG → PNG.
import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { serveTasks } from '../../threads/serve-tasks.ts'

const require = createRequire(import.meta.url)

/** Cairo has Latin and Arabic letters; SIL Open Font License. */
const fontFiles = [
  require.resolve('@expo-google-fonts/cairo/400Regular/Cairo_400Regular.ttf'),
  require.resolve('@expo-google-fonts/cairo/700Bold/Cairo_700Bold.ttf'),
]

const tasks = {
  draw: (svg: string): Uint8Array =>
    new Resvg(svg, { font: { fontFiles, loadSystemFonts: false, defaultFontFamily: 'Cairo' } }).render().asPng(),
}

export type DrawingTasks = typeof tasks

serveTasks(tasks)

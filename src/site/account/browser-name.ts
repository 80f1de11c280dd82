// A User-Agent header → the browser and its system in the language of the page.
import type { View } from '../frame/view.ts'
import { fillText } from '../pieces/fill.ts'
import { readUserAgent } from './user-agent.ts'

export const browserName = (view: View, userAgent: string | undefined): string => {
  const known = readUserAgent(userAgent ?? '')
  const { browserOn, unknownBrowser } = view.texts.sessions
  return known === undefined ? unknownBrowser : fillText(browserOn, { ...known })
}

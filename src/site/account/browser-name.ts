// A User-Agent header → the browser and its system in the language of the page.

import { readUserAgent } from '../../accounts/user-agent.ts'
import type { View } from '../frame/view.ts'
import { fillText } from '../pieces/fill.ts'

export const browserName = (view: View, userAgent: string | undefined): string => {
  const known = readUserAgent(userAgent ?? '')
  const { browserOn, unknownBrowser } = view.texts.sessions
  return known === undefined ? unknownBrowser : fillText(browserOn, { ...known })
}

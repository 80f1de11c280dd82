// Where and when a device asked, and what it is → words for the person who decides (RFC 8628 section 5.4).

import { readUserAgent } from '../../accounts/user-agent.ts'
import { durationInWords } from '../../base/in-words.ts'
import { networkOf } from '../../base/ip-address.ts'
import type { DeviceRequest } from '../../oauth/device/device-request.ts'
import type { View } from '../frame/view.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { type Html, type HtmlPart, html } from '../pieces/html.ts'

const fromWhere = ({ texts: { device } }: View, asked: string | null, visitor: string): HtmlPart => {
  if (asked === null) return device.unknownNetwork
  const isSame = networkOf(asked) === networkOf(visitor)
  const address = html`<code dir="ltr">${asked}</code>`
  return isSame
    ? fill(device.sameNetwork, { address })
    : html`<strong>${fill(device.otherNetwork, { address })}</strong>`
}

/** A browser by its name; another program as it calls itself, cut to what fits a line. */
const deviceName = ({ texts }: View, userAgent: string | null): Html => {
  const known = readUserAgent(userAgent ?? '')
  if (known !== undefined) return html`<bdi>${fillText(texts.sessions.browserOn, { ...known })}</bdi>`
  return html`<bdi>${userAgent?.slice(0, 80) || texts.device.unknownDevice}</bdi>`
}

const agoWords = ({ language, texts }: View, since: Date, now: Date): string => {
  const seconds = Math.max(1, Math.round((now.getTime() - since.getTime()) / 1000))
  const duration =
    seconds < 60
      ? durationInWords(seconds, 'second', language)
      : durationInWords(Math.round(seconds / 60), 'minute', language)
  return fillText(texts.device.ago, { duration })
}

export interface Looking {
  /** The address of the person who decides. */
  readonly address: string
  readonly now: Date
}

export const deviceFacts = (
  view: View,
  { address, userAgent, createdAt }: DeviceRequest,
  looking: Looking,
): readonly (readonly [string, HtmlPart])[] => {
  const { device } = view.texts
  return [
    [device.deviceName, deviceName(view, userAgent)],
    [device.from, fromWhere(view, address, looking.address)],
    [device.asked, agoWords(view, createdAt, looking.now)],
  ]
}

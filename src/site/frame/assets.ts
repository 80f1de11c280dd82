// Our style sheets and images → files with a digest in their name, which browsers may cache forever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { markFile } from './mark.ts'

export interface Asset {
  readonly path: string
  readonly type: string
  readonly body: Buffer
}

/** In cascade order: the shared design first, then what each area adds. */
const styleParts = [
  'styles/tokens.css',
  'styles/base.css',
  'styles/layout.css',
  'styles/forms.css',
  'styles/pieces.css',
  'pieces/code/code.css',
  'consent/consent.css',
  'device/device.css',
  'factors/factors.css',
  'providers/providers.css',
  'console/console.css',
  'conversation/conversation.css',
  'data-changes/data-changes.css',
  'docs/docs.css',
  'landing/landing.css',
  'hall/hall.css',
  'masjid/masjid.css',
  'staff/staff.css',
  'staff/times/times.css',
  'staff/announcements/announcements.css',
  'staff/events/events.css',
  'staff/week/week.css',
  'staff/print/print.css',
  'staff/giving/giving.css',
  'staff/people/people.css',
]

const siteFolder = new URL('../', import.meta.url)

/** One file, so that a page needs one request for its styles. */
const readStyles = (): string => styleParts.map(path => readFileSync(new URL(path, siteFolder), 'utf8')).join('\n')

export const createAsset = (name: string, type: string, body: string | Buffer): Asset => {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return { path: `/assets/${name.slice(0, dot)}.${digest}${name.slice(dot)}`, type, body: Buffer.from(body) }
}

export const styleSheet: Asset = createAsset('minaret.css', 'text/css; charset=utf-8', readStyles())

export const icon: Asset = createAsset('mark.svg', 'image/svg+xml', markFile)

export const assets: readonly Asset[] = [styleSheet, icon]

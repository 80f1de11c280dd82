// Style sheets and images of ours → files with a digest in their name, which a browser may keep for ever.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { markFile } from './mark.ts'

export interface Asset {
  readonly path: string
  readonly type: string
  readonly body: Buffer
}

const stylesFolder = new URL('./styles/', import.meta.url)

/** All parts in the order of their names: one request for the whole design. */
const readStyles = (): string =>
  readdirSync(stylesFolder)
    .filter(name => name.endsWith('.css'))
    .sort()
    .map(name => readFileSync(new URL(name, stylesFolder), 'utf8'))
    .join('\n')

export const createAsset = (name: string, type: string, body: string | Buffer): Asset => {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return { path: `/assets/${name.slice(0, dot)}.${digest}${name.slice(dot)}`, type, body: Buffer.from(body) }
}

export const styleSheet: Asset = createAsset('minaret.css', 'text/css; charset=utf-8', readStyles())

export const icon: Asset = createAsset('mark.svg', 'image/svg+xml', markFile)

export const assets: readonly Asset[] = [styleSheet, icon]

// Pages with moments → the script that shows them in the reader's own time.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../../frame/assets.ts'
import { type Html, html } from '../html.ts'

export const timesScript: Asset = createAsset(
  'times.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/times.js', import.meta.url)),
)

/** For the head of the page. */
export const localTimes: Html = html`<script src="${timesScript.path}" defer></script>`

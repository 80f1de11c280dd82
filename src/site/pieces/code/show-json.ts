// The script that shows an answer in the colours of the samples, for pages that ask something themselves.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../../frame/assets.ts'

export const showJsonScript: Asset = createAsset(
  'show-json.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/show-json.js', import.meta.url)),
)

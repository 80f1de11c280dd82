// The script of the documentation → an asset whose name changes with its content.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'

export const docsScript: Asset = createAsset(
  'docs.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('./client/docs.js', import.meta.url)),
)

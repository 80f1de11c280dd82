// The landing page's script → an asset whose name changes with its content.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'

export const landingScript: Asset = createAsset(
  'landing.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('./client/landing.js', import.meta.url)),
)

// The landing page's own script → a file under a name that changes with its content.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'

export const landingScript: Asset = createAsset(
  'landing.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('./client/landing.js', import.meta.url)),
)

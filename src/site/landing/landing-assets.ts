// The landing page's script and the picture of its map → assets whose names change with their content.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'
import { landPicture } from '../pieces/map/land.ts'

export const landingScript: Asset = createAsset(
  'landing.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('./client/landing.js', import.meta.url)),
)

export const landingAssets: readonly Asset[] = [landingScript, landPicture]

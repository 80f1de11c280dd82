// The script that goes through the points of charts.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'

export const chartScript: Asset = createAsset(
  'chart.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/chart.js', import.meta.url)),
)

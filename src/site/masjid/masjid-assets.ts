// The scripts and styles of masjid pages and of the widget → assets whose names change with their content.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'

const SCRIPT = 'text/javascript; charset=utf-8'

const fileOf = (name: string): string => readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8')

/** Loads the page again once it says something else. */
export const stayCurrent: Asset = createAsset('stay-current.js', SCRIPT, fileOf('stay-current.js'))

/** Tells the page around the widget how high it is. */
export const tellHeight: Asset = createAsset('tell-height.js', SCRIPT, fileOf('tell-height.js'))

export const widgetStyle: Asset = createAsset('widget.css', 'text/css; charset=utf-8', fileOf('widget.css'))

/** For the pages of others, under an address that stays. */
export const widgetScript: string = fileOf('widget.js')

export const masjidAssets: readonly Asset[] = [stayCurrent, tellHeight, widgetStyle]

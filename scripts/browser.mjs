// Finds a browser for the tests, or installs Debian's Chromium where possible.
import { existsSync } from 'node:fs'
import { installFromDebian } from './debian-packages.mjs'

const places = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const find = () => places.find(place => place !== undefined && existsSync(place))

/** Installs Chromium as root on Debian; elsewhere prints why the browser tests are skipped. */
export const ensureBrowser = () => {
  const found = find()
  if (found !== undefined) return found
  installFromDebian('Chromium for the browser tests', ['chromium', 'fonts-noto-core'])
  if (find() === undefined)
    console.error('Chromium not found: the browser tests are skipped. Install it, or set CHROMIUM_PATH.')
  return find()
}

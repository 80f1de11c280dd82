// The browser for the tests: found, or installed from Debian's packages where that is allowed.
import { existsSync } from 'node:fs'
import { installFromDebian } from './debian-packages.mjs'

const places = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const find = () => places.find(place => place !== undefined && existsSync(place))

/** Installs Chromium as root on Debian; elsewhere says in one line why the browser tests are skipped. */
export const ensureBrowser = () => {
  const found = find()
  if (found !== undefined) return found
  installFromDebian('Chromium for the browser tests', ['chromium', 'fonts-noto-core'])
  if (find() === undefined)
    console.error('There is no Chromium: the browser tests are skipped. Install it, or set CHROMIUM_PATH.')
  return find()
}

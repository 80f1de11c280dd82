// Finds a browser for the tests, or installs Debian's Chromium where possible.
import { existsSync } from 'node:fs'
import { installFromDebian } from './debian-packages.mjs'
import { browserPlaces } from './platform.mjs'

const places = [process.env.CHROMIUM_PATH, ...browserPlaces]
const packages = ['chromium', 'fonts-noto-core']

const find = () => places.find(place => place !== undefined && existsSync(place))

/**
 * Chromium without the window around its pages, which takes a third of its CPU time. Debian has it from the same source and in the
 * same version; a Chromium that was chosen is used for everything.
 */
const shell = '/usr/bin/chromium-headless-shell'

export const findShell = () =>
  find() === '/usr/bin/chromium' && process.env.CHROMIUM_PATH === undefined && existsSync(shell) ? shell : undefined

/** Installs Chromium as root on Debian; elsewhere prints why the browser tests are skipped. */
export const ensureBrowser = () => {
  const found = find()
  if (found !== undefined) return found
  installFromDebian('Chromium for the browser tests', [...packages, 'chromium-headless-shell'])
  // Older releases do not have the shell, and then nothing was installed.
  if (find() === undefined) installFromDebian('Chromium for the browser tests', packages)
  if (find() === undefined)
    console.error('Chromium not found: the browser tests are skipped. Install it, or set CHROMIUM_PATH.')
  return find()
}

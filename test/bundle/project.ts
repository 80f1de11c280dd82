// A project of its own for what writes to the project: copied sources, and links to everything else.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

const copied = new Set(['src', 'package.json', 'package-lock.json'])
const left = new Set(['node_modules', '.git', '.minaret'])

const link = (from: string, to: string, without: ReadonlySet<string>): void => {
  for (const name of readdirSync(from)) if (!without.has(name)) symlinkSync(join(from, name), join(to, name))
}

interface Ran {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  /** Paths of the modules that the main thread loaded, but for Node's own. */
  readonly modules: readonly string[]
}

export interface Project {
  readonly path: string
  /** Runs `src/main.ts` of this project. */
  run(words: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Ran>
  remove(): void
}

const counter = fileURLToPath(new URL('./list-modules.mjs', import.meta.url))

export const modulesListed = (file: string): string[] => [
  ...new Set(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(url => url.startsWith('file:'))
      .map(url => fileURLToPath(url)),
  ),
]

/** For the environment of a process: its modules are listed in `file`. */
export const listingModules = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${counter}`,
  LIST_MODULES: file,
})

export const copyProject = (): Project => {
  const path = mkdtempSync(join(tmpdir(), 'minaret-project-'))
  for (const name of copied) cpSync(join(root, name), join(path, name), { recursive: true })
  mkdirSync(join(path, 'node_modules'))
  link(root, path, new Set([...copied, ...left]))
  link(join(root, 'node_modules'), join(path, 'node_modules'), new Set(['.cache']))
  let runs = 0
  return {
    path,
    run: (words, environment = {}) => {
      runs += 1
      const list = join(path, `modules-${runs}`)
      const env = { PATH: process.env.PATH, HOME: path, ...listingModules(list), ...environment }
      return new Promise(resolve => {
        execFile(process.execPath, [join(path, 'src/main.ts'), ...words], { env }, (error, stdout, stderr) =>
          resolve({
            status: error === null ? 0 : Number(error.code ?? 1),
            stdout,
            stderr,
            modules: modulesListed(list),
          }),
        )
      })
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

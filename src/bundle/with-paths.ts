// Files that name others relative to themselves → the same files, with the paths where those are while the bundle runs from elsewhere.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/** The scripts of threads: `new URL('./thread.ts', import.meta.url)`. */
const namedScript = /new URL\('(\.\/[\w/-]+\.ts)', import\.meta\.url\)/g

/** Programs of their own beside the main one, which become entries of the bundle. */
export const scriptsNamedIn = (folder: string, files: readonly string[]): string[] =>
  files
    .filter(name => name.endsWith('.ts') && !name.startsWith('src/bundle/'))
    .flatMap(name =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(namedScript)].map(([, script = '']) =>
        join(dirname(name), script),
      ),
    )

const urlOf = (path: string): string => JSON.stringify(pathToFileURL(path).href)

/** Brings a compiled library of its own, which it looks for beside itself. */
const withLibrary = /^@resvg\/resvg-js$/

export const withPaths = (folder: string, bundle: string): Plugin => ({
  name: 'with-paths',
  setup: ({ onLoad, onResolve }) => {
    const { resolve } = createRequire(join(folder, 'package.json'))
    onResolve({ filter: withLibrary }, ({ path }) => ({ path: pathToFileURL(resolve(path)).href, external: true }))
    onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!/import\.meta\.url|__dirname|__filename/.test(text)) return undefined
      const contents = text
        .replace(namedScript, (_, script: string) => {
          const source = join(dirname(relative(join(folder, 'src'), path)), script)
          return `new URL(${urlOf(join(bundle, source.replace(/\.ts$/, '.mjs')))})`
        })
        .replaceAll('import.meta.url', urlOf(path))
        .replaceAll('__dirname', JSON.stringify(dirname(path)))
        .replaceAll('__filename', JSON.stringify(path))
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' }
    })
  },
})

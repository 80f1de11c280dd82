// The program's files → one bundle of them, with source maps, in the first of the places that can be written to. Run by the first start,
// and while an image is built: node src/bundle/make-bundle.ts FOLDER PLACE …
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions } from 'esbuild'
import { ENTRY, STAMP_FILE } from './find-bundle.ts'
import { keyOf, programFiles, stampOf } from './program-files.ts'
import { scriptsNamedIn, withPaths } from './with-paths.ts'

/** A process that still runs an older one may yet load a part of it. */
const MOST_KEPT = 5
/** An error that ends the process is printed with its line. */
const LONGEST_LINE = 160

const optionsFor = (folder: string, files: readonly string[], bundle: string, out: string): BuildOptions => ({
  absWorkingDir: folder,
  entryPoints: [`src/${ENTRY}.ts`, ...scriptsNamedIn(folder, files)],
  outdir: out,
  outbase: 'src',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: `node${process.versions.node}`,
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: LONGEST_LINE,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'error',
  legalComments: 'none',
  inject: [join(import.meta.dirname, 'name-sources.ts')],
  define: { BUNDLE_FOLDER: JSON.stringify(pathToFileURL(`${bundle}/`).href) },
  banner: {
    js: `import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(${JSON.stringify(pathToFileURL(join(folder, 'package.json')).href)});`,
  },
  plugins: [withPaths(folder, bundle)],
})

/** The oldest go, and with them what Node compiled of them, which it would keep for ever. */
const removeOldest = (place: string): void => {
  const ages = readdirSync(place).map(name => ({ name, at: statSync(join(place, name)).mtimeMs }))
  const old = ages.sort((one, other) => other.at - one.at).slice(MOST_KEPT)
  for (const { name } of old) rmSync(join(place, name), { recursive: true, force: true })
  const compiled = old.length === 0 ? [] : readdirSync(join(place, '..')).filter(name => /^v\d+\./.test(name))
  for (const name of compiled) rmSync(join(place, '..', name), { recursive: true, force: true })
}

const [folder = '', ...places] = process.argv.slice(2).map(path => resolve(path))

/** A folder of this process alone, beside where the bundle will be. */
const makeUnfinished = (key: string): string | undefined => {
  for (const place of places) {
    const unfinished = join(place, `${key}.${process.pid}`)
    try {
      mkdirSync(unfinished, { recursive: true })
      return unfinished
    } catch {
      // Nobody may write here.
    }
  }
  return undefined
}

/** Of two processes that make the same one, the second finds it there. */
const moveTo = (unfinished: string, bundle: string): void => {
  try {
    renameSync(unfinished, bundle)
  } catch (error) {
    if (!existsSync(bundle)) throw error
  }
}

const run = async (): Promise<void> => {
  const files = programFiles(folder)
  const stamp = stampOf(folder, files)
  const key = keyOf(folder, files)
  const unfinished = makeUnfinished(key)
  if (unfinished === undefined) return
  const place = dirname(unfinished)
  const bundle = join(place, key)
  const { build, stop } = await import('esbuild')
  try {
    await build(optionsFor(folder, files, bundle, unfinished))
    writeFileSync(join(unfinished, STAMP_FILE), stamp)
    moveTo(unfinished, bundle)
    removeOldest(place)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
    await stop()
  }
}

// Whoever may read the program may read its bundle: root makes one that the service runs.
process.umask(0o022)
void run()

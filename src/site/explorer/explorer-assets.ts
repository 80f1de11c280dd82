// GraphiQL, React and the explorer's own scripts and style → files under names that change with their content.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'

const SCRIPT = 'text/javascript; charset=utf-8'

const read = (path: string): Buffer => readFileSync(new URL(path, import.meta.url))

const script = (name: string, path: string): Asset => createAsset(name, SCRIPT, read(path))

const style = (name: string, path: string): Asset => createAsset(name, 'text/css; charset=utf-8', read(path))

/** In dependency order, before our modules. */
export const vendorScripts: readonly Asset[] = [
  script('react.js', './vendor/react.min.js'),
  script('react-dom.js', './vendor/react-dom.min.js'),
  script('graphiql.js', './vendor/graphiql.min.js'),
]

/** Modules name each other by relative paths, so one digest stands for all of them. */
const readModules = (): Asset[] => {
  const names = readdirSync(new URL('./client/', import.meta.url), { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.js'))
    .sort()
  const files = names.map(name => ({ name, body: read(`./client/${name}`) }))
  const hash = createHash('sha256')
  for (const { name, body } of files) hash.update(name).update(body)
  const folder = `/assets/explorer.${hash.digest('hex').slice(0, 12)}`
  return files.map(({ name, body }) => ({ path: `${folder}/${name}`, type: SCRIPT, body }))
}

export const explorerModules: readonly Asset[] = readModules()

export const explorerStyles: readonly Asset[] = [
  style('graphiql.css', './vendor/graphiql.min.css'),
  style('explorer.css', './client/explorer.css'),
  style('panels.css', './client/panels.css'),
]

export const explorerAssets: readonly Asset[] = [...vendorScripts, ...explorerModules, ...explorerStyles]

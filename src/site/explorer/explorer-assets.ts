// GraphiQL, React and the explorer's own script and style → files under names that change with their content.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'

const read = (path: string): Buffer => readFileSync(new URL(path, import.meta.url))

const script = (name: string, path: string): Asset => createAsset(name, 'text/javascript; charset=utf-8', read(path))

const style = (name: string, path: string): Asset => createAsset(name, 'text/css; charset=utf-8', read(path))

/** In dependency order. */
export const explorerScripts: readonly Asset[] = [
  script('react.js', './vendor/react.min.js'),
  script('react-dom.js', './vendor/react-dom.min.js'),
  script('graphiql.js', './vendor/graphiql.min.js'),
  script('follow-events.js', './client/follow-events.js'),
  script('accessible-editors.js', './client/accessible-editors.js'),
  script('explorer.js', './client/explorer.js'),
]

export const explorerStyles: readonly Asset[] = [
  style('graphiql.css', './vendor/graphiql.min.css'),
  style('explorer.css', './client/explorer.css'),
]

export const explorerAssets: readonly Asset[] = [...explorerScripts, ...explorerStyles]

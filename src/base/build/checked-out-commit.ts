// A clone → the commit that is checked out, without git: HEAD, and what it refers to.
// https://git-scm.com/docs/gitrepository-layout
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

export interface CheckedOut {
  readonly id: string
  /** Of this work tree, which has HEAD and the index. */
  readonly gitFolder: string
}

const readText = (path: string): string => readFileSync(path, 'utf8').trim()

/** A linked work tree has a file there that says where. */
const findGitFolder = (folder: string): string => {
  const path = resolve(folder, '.git')
  if (statSync(path).isDirectory()) return path
  const [, named = ''] = /^gitdir: (.+)$/.exec(readText(path)) ?? []
  return resolve(folder, named)
}

/** What all work trees share. */
const findCommonFolder = (gitFolder: string): string => {
  const path = resolve(gitFolder, 'commondir')
  return existsSync(path) ? resolve(gitFolder, readText(path)) : gitFolder
}

const readPacked = (folder: string, name: string): string | undefined => {
  const path = resolve(folder, 'packed-refs')
  const line = existsSync(path)
    ? readText(path)
        .split('\n')
        .find(one => one.endsWith(` ${name}`))
    : undefined
  return line?.split(' ')[0]
}

const MOST_STEPS = 5

const follow = (gitFolder: string): string | undefined => {
  const common = findCommonFolder(gitFolder)
  const read = (name: string): string | undefined => {
    const path = [gitFolder, common].map(folder => resolve(folder, name)).find(existsSync)
    return path === undefined ? readPacked(common, name) : readText(path)
  }
  let text = read('HEAD')
  for (let step = 0; step < MOST_STEPS && text?.startsWith('ref: ') === true; step += 1)
    text = read(text.slice(5).trim())
  return text
}

/** Undefined if it has no commit yet. @throws if the folder is no clone, or may not be read. */
export const checkedOutCommit = (folder: string): CheckedOut | undefined => {
  const gitFolder = findGitFolder(folder)
  const id = follow(gitFolder) ?? ''
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? { id, gitFolder } : undefined
}

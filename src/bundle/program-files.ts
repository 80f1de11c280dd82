// The project's folder → what a bundle is made of: the program's own files and what is installed, as a stamp that is quick to read and as
// a key of their contents.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** npm writes the second one for what it has installed. */
const lockfiles = ['package-lock.json', 'node_modules/.package-lock.json']

const isProgram = (name: string): boolean => name.endsWith('.ts') && !name.endsWith('.test.ts')

/** Relative paths, in an order that does not depend on the machine. */
export const programFiles = (folder: string): string[] => {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }).filter(isProgram)
  return [...sources.map(name => `src/${name}`).sort(), ...lockfiles.filter(name => existsSync(join(folder, name)))]
}

/** A bundle names files by their absolute paths, and its code is written for this version of Node. */
const ground = (folder: string): string => `${process.version} ${process.platform} ${process.arch} ${folder}\n`

/** Another one whenever a file was written to, even with the same contents. */
export const stampOf = (folder: string, files: readonly string[]): string => {
  const lines = files.map(name => {
    const { size, mtimeMs, ctimeMs } = statSync(join(folder, name))
    return `${name} ${size} ${mtimeMs} ${ctimeMs}\n`
  })
  return createHash('sha256').update(ground(folder)).update(lines.join('')).digest('hex')
}

const KEY_DIGITS = 20

/** Another one only if the contents differ. */
export const keyOf = (folder: string, files: readonly string[]): string => {
  const hash = createHash('sha256').update(ground(folder))
  for (const name of files) {
    const content = readFileSync(join(folder, name))
    hash.update(`${name} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, KEY_DIGITS)
}

// This program's files → which build of its version they are: the commit, as the image, the archive or the clone has it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Changes, changesSince } from './changes-since.ts'
import { checkedOutCommit } from './checked-out-commit.ts'
import { readOwnVersion } from './own-version.ts'

export interface OwnBuild {
  readonly version: string
  /** `unknown`, or the commit's id: with `-dirty` if files were changed since, with `-unchecked` if nobody can say. */
  readonly commit: string
}

/** For people. */
export const shortCommit = ({ commit }: OwnBuild): string => commit.replace(/^([0-9a-f]{12})[0-9a-f]+/, '$1')

const endings: Readonly<Record<Changes, string>> = { none: '', some: '-dirty', unknown: '-unchecked' }

/** Written by `git archive` (.gitattributes) or by whoever builds an image (deploy/Dockerfile). */
const commitOfArchive = (folder: string): string | undefined => {
  const text = readFileSync(`${folder}/src/base/build/commit.txt`, 'utf8').trim()
  return /^[0-9a-f]{40,64}(-dirty)?$/.test(text) ? text : undefined
}

const commitOfClone = (folder: string): string | undefined => {
  const found = checkedOutCommit(folder)
  return found === undefined ? undefined : `${found.id}${endings[changesSince(folder, found)]}`
}

const orUndefined = <T>(read: () => T | undefined): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const projectFolder = fileURLToPath(new URL('../../../', import.meta.url))

/** As the files are now: ask at the start, before somebody updates them under the running process. */
export const readOwnBuild = (folder = projectFolder): OwnBuild => ({
  version: readOwnVersion(),
  commit: orUndefined(() => commitOfArchive(folder)) ?? orUndefined(() => commitOfClone(folder)) ?? 'unknown',
})

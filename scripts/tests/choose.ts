// Words of the command line → the test files of this run, and those that it leaves out.
import { globSync } from 'node:fs'
import { changedFiles, testsOf } from './changed.ts'
import { large } from './large.ts'

const everyTest = ['src/**', 'test/**', 'bench', 'bench/{load,measure,report,scenarios}/**'].map(
  folder => `${folder}/*.test.ts`,
)

export interface Choice {
  readonly files: readonly string[]
  /** Large ones, in a run that is not of all. */
  readonly leftOut: readonly string[]
}

const small = (files: readonly string[]): Choice => ({
  files: files.filter(file => !large.has(file)),
  leftOut: files.filter(file => large.has(file)),
})

/** Files that are named run, whatever their size. A profile is of every file. */
export const chooseFiles = (words: readonly string[]): Choice => {
  const named = words.filter(word => !word.startsWith('--'))
  if (named.length > 0) return { files: globSync(named), leftOut: [] }
  const files = globSync(everyTest)
  if (words.includes('--changed')) return small(testsOf(changedFiles(), files))
  if (words.includes('--all') || words.includes('--profile')) return { files, leftOut: [] }
  return small(files)
}

export const describeLeftOut = ({ leftOut }: Choice): string | undefined =>
  leftOut.length === 0
    ? undefined
    : `Left out: ${leftOut.length} large test files (scripts/tests/large.ts). \`npm test -- --all\`, as in CI, runs them too.`

// Files that were changed since the branch left main → the tests to run first: those beside them, and those in the folder of
// test/ that has the name of their own.
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'

const git = (...words: readonly string[]): string[] =>
  execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean)

const leavingPoint = (): string => {
  try {
    return git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'
  } catch {
    return 'HEAD'
  }
}

/** Committed on this branch, changed or new; on main, what is not committed. */
export const changedFiles = (): string[] => [
  ...git('diff', '--name-only', '--diff-filter=d', leavingPoint()),
  ...git('ls-files', '--others', '--exclude-standard'),
]

const isTest = (file: string): boolean => file.endsWith('.test.ts')

/** `src/site/staff/week/…` is tested in test/staff/week, or else in test/staff. */
const folderOf = (file: string, tests: readonly string[]): string | undefined => {
  const parts = dirname(file).split('/').slice(1)
  return parts
    .flatMap((_, start) => parts.slice(start).map((_, end) => parts.slice(start, parts.length - end).join('/')))
    .map(path => `test/${path}/`)
    .find(folder => tests.some(test => test.startsWith(folder)))
}

/** Where what is not in src is tested. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  deploy: ['test/deploy/', 'test/observability/'],
  docs: ['test/docs/', 'test/docs-site/'],
  examples: ['test/examples/'],
  migrations: ['test/data-model/', 'test/migrations/'],
  scripts: ['test/runner/'],
}

const foldersOf = (file: string, tests: readonly string[]): readonly string[] => {
  const top = file.slice(0, file.indexOf('/'))
  const found = top === 'src' ? folderOf(file, tests) : undefined
  return found === undefined ? (elsewhere[top] ?? []) : [found]
}

const isBeside = (test: string, file: string): boolean => dirname(test) === dirname(file)

export const testsOf = (changed: readonly string[], tests: readonly string[]): string[] => {
  const others = changed.filter(file => !isTest(file))
  const folders = others.flatMap(file => foldersOf(file, tests))
  return tests.filter(
    test =>
      changed.includes(test) ||
      others.some(file => isBeside(test, file)) ||
      folders.some(folder => test.startsWith(folder)),
  )
}

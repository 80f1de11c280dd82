// Tests known to fail now and then although the tested code is right. There should be none: fix the test instead. One
// that cannot be fixed at once is listed here, and every run says so: it still runs, counts as `todo` in the runner's
// summary, and its failure does not fail the run.

export interface FlakyTest {
  readonly file: string
  /** As in its `test('…')`, which takes `{ todo: knownFlaky('…') }` as options. */
  readonly name: string
  /** Who will fix it. */
  readonly owner: string
  /** What makes it fail, as far as is known. */
  readonly reason: string
}

export const flakyTests: readonly FlakyTest[] = []

/** For the options of a listed test. An unlisted name is a mistake, not a way to silence a test. */
export const knownFlaky = (name: string, listed: readonly FlakyTest[] = flakyTests): string => {
  const found = listed.find(test => test.name === name)
  if (found === undefined) throw new Error(`"${name}" is not in the list of flaky tests.`)
  return `flaky (${found.owner}): ${found.reason}`
}

export const describeFlaky = (listed: readonly FlakyTest[]): readonly string[] => [
  `Flaky tests: ${listed.length === 0 ? 'none' : listed.length}.`,
  ...listed.map(({ file, name, owner, reason }) => `  ${file}: ${name} (${owner}): ${reason}`),
]

// Tests known to fail now and then for no fault of the code under test. There should be none: mend the test instead. One
// that cannot be mended at once stands here, and says so in every run: it still runs, counts as `todo` in the runner's
// closing lines, and its failure does not fail the run.

export interface FlakyTest {
  readonly file: string
  /** As in its `test('…')`, which takes `{ todo: knownFlaky('…') }` as its options. */
  readonly name: string
  /** Who mends it. */
  readonly owner: string
  /** What makes it fail, as far as is known. */
  readonly reason: string
}

export const flakyTests: readonly FlakyTest[] = []

/** For the options of a listed test. A name that is not listed is a mistake, not a way to silence a test. */
export const knownFlaky = (name: string, listed: readonly FlakyTest[] = flakyTests): string => {
  const found = listed.find(test => test.name === name)
  if (found === undefined) throw new Error(`"${name}" is not in the list of flaky tests.`)
  return `flaky (${found.owner}): ${found.reason}`
}

export const describeFlaky = (listed: readonly FlakyTest[]): readonly string[] => [
  `Flaky tests: ${listed.length === 0 ? 'none' : listed.length}.`,
  ...listed.map(({ file, name, owner, reason }) => `  ${file}: ${name} (${owner}): ${reason}`),
]

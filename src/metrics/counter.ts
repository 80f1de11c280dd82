// Events with a few labels → how often each combination occurred, for a bounded number of combinations.
import { counterFamily, type Family, type Labels, overflow } from './family.ts'

export interface Counter {
  /** One value for each label, in their order. */
  add(...values: readonly string[]): void
  family(): Family
}

export interface CounterRule {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Combinations that are shown from the beginning, as 0: otherwise a first event would not be seen as an increase. */
  readonly known?: readonly (readonly string[])[]
}

const MOST_SERIES = 500

export const createCounter = ({ name, help, labels: names, known = [] }: CounterRule): Counter => {
  const series = new Map<string, { readonly labels: Labels; value: number }>()
  const rest = { labels: overflow, value: 0 }

  const open = (key: string, values: readonly string[]): { value: number } => {
    if (series.size >= MOST_SERIES) return rest
    const labels = Object.fromEntries(names.map((label, index) => [label, values[index] ?? '']))
    const opened = { labels, value: 0 }
    series.set(key, opened)
    return opened
  }

  for (const values of known) open(values.join('\n'), values)

  return {
    add: (...values) => {
      const key = values.join('\n')
      const one = series.get(key) ?? open(key, values)
      one.value += 1
    },
    family: () => counterFamily({ name, help }, [...series.values(), ...(rest.value > 0 ? [rest] : [])]),
  }
}

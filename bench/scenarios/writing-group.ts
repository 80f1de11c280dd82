// Writing: through the API beside its peers, and by plain SQL with and without the triggers.
import { type Group, measureChosen } from '../bench-frame.ts'
import { isChosen } from '../options.ts'
import { commitsScenario } from './commits.ts'
import { writes } from './writes.ts'
import { measureWrites } from './writing.ts'

export const writingGroup: Group = {
  name: 'writing',
  run: async bench => {
    const chosen = writes.filter(({ name }) => isChosen(name, bench.options))
    const written = chosen.length === 0 ? [] : await measureWrites(bench, chosen)
    return { results: [...written, ...(await measureChosen(bench, [commitsScenario(bench)]))], readings: [] }
  },
}

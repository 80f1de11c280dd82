// Writing: concurrent commits.
import { type Group, measureChosen } from '../bench-frame.ts'
import { commitsScenario } from './commits.ts'

export const writingGroup: Group = {
  name: 'writing',
  run: async bench => ({ results: await measureChosen(bench, [commitsScenario(bench)]), readings: [] }),
}

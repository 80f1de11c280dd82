// No loop counts days until it meets one: with a date that somebody sends it might never end. Days are listed by `daysBetween`, which
// knows how many there are before the first.
import { globSync, readFileSync } from 'node:fs'
import { findDateLoops } from './find-date-loops.ts'

const found = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] }).flatMap(path =>
  findDateLoops(readFileSync(path, 'utf8')).map(({ line, head }) => `${path}:${line}: ${head}`),
)
for (const loop of found) console.error(`${loop}\n  A loop over dates: use daysBetween of src/base/civil-date.ts.`)
process.exitCode = found.length === 0 ? 0 : 1

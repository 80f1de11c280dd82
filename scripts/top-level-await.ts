// No module that a thread may load waits at its top level: terminating a thread that waits so, as when the service stops while the
// thread is loading, makes V8 abort the whole process.
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { SourceTextModule } from 'node:vm'

/** The main thread's, which no other thread loads. */
const main = 'src/main.ts'

const found = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', main] }).filter(path => {
  const text = readFileSync(path, 'utf8')
  return text.includes('await') && new SourceTextModule(stripTypeScriptTypes(text)).hasTopLevelAwait()
})

for (const path of found) console.error(`${path} has a top-level await.`)
process.exitCode = found.length === 0 ? 0 : 1

// `npm run cluster`: installs what the reference cluster is made of (once), then starts it on the pinned runtime. It ends with Ctrl-C.
import { spawn } from 'node:child_process'
import { ensureFaultPrograms } from './fault-programs.mjs'
import { ensurePostgresql15 } from './postgresql-15.mjs'
import { ensureInstalled, projectFolder, runtimePath } from './setup.mjs'

ensureInstalled({ tools: true })
ensurePostgresql15()
ensureFaultPrograms()
const child = spawn(runtimePath(), [`${projectFolder}scripts/cluster/main.ts`, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
// A terminal sends the signal to both: what is inside ends the cluster first.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))

// The command line: arguments → one command, its result on standard output, exit status 0, 1 (refused) or 2 (usage error).
import { findBundle } from './bundle/find-bundle.ts'

const bundle = findBundle({
  folder: import.meta.dirname.replace(/[\\/]src$/, ''),
  environment: process.env,
  onMaking: () => void (process.argv[2] === 'serve' && console.error('Bundling the program (once per version) …')),
})
const { runCommandLine } = (await import(
  bundle ?? './commands/command-line.ts'
)) as typeof import('./commands/command-line.ts')

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  print: text => console.log(text),
  say: text => console.error(text),
})
// The IPC channel to bin/minaret would keep a finished command alive.
if (process.connected) process.disconnect?.()

// `npm start`: everything that is needed, and then the service.
import { runMinaret } from './run-minaret.mjs'

runMinaret(['serve', ...process.argv.slice(2)])

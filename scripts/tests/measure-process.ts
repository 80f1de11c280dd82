// Imported before a test file that has a process of its own, in a profile: measures the whole process.
import { relative } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { measureFile } from './measure.ts'

const file = relative('.', process.argv[1] ?? '')
if (isMainThread && !file.endsWith('scripts/tests/lane.ts')) process.once('exit', measureFile(file))

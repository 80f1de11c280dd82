// `npm run docs`: writes the documents that are generated from the code.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, projectFolder, runtimePath } from './setup.mjs'

ensureInstalled({ tools: true })
process.exit(spawnSync(runtimePath(), [`${projectFolder}scripts/write-docs.ts`], { stdio: 'inherit' }).status ?? 1)

// Loaded first in a process (`--import`): lists the modules that its main thread loads in the file LIST_MODULES.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const file = process.env.LIST_MODULES
// What the process starts is not asked about.
delete process.env.NODE_OPTIONS
delete process.env.LIST_MODULES
if (isMainThread && file !== undefined)
  registerHooks({
    load: (url, context, next) => {
      appendFileSync(file, `${url}\n`)
      return next(url, context)
    },
  })

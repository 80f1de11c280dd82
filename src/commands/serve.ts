// `minaret serve`: starts the service, says where it is, and stops in order when told to.
import { createLogger } from '../base/log.ts'
import { type Service, startService } from '../service.ts'
import type { Command } from './command.ts'

const summary = (service: Service): string => `
Minaret is ready.

  Service  ${service.baseUrl}
  Sandbox  ${service.sandboxUrl}
`

const untilStopped = (): Promise<string> =>
  new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal))
    // Started by bin/minaret: when that process is gone, so is the reason to run.
    if (process.connected) process.once('disconnect', () => resolve('end of the parent process'))
  })

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the service until it is stopped (Ctrl-C).',
  usage: 'serve',
  options: {},
  required: [],
  run: async (_options, config) => {
    const log = createLogger(config.logLevel)
    const stopped = untilStopped()
    const service = await startService({ config, log, onProgress: text => console.error(`${text} …`) })
    console.log(summary(service))
    const reason = await stopped
    log.info(`stopping (${reason})`)
    await service.stop()
    return undefined
  },
}

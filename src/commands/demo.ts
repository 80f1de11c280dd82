// `minaret demo`: loads the demo data of a development installation, or moves its dates to today.
import { systemClock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { Command } from './command.ts'
import { withDatabase } from './with-database.ts'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Load the demo data, or move its dates to today (development only).',
  usage: 'demo [--json]',
  options: {},
  required: [],
  run: (_options, config) => {
    if (config.mode === 'production')
      throw new Fault({ code: 'demo_refused', status: 400, message: 'Production has no demo data.' })
    return withDatabase(config, async database => {
      // Imported lazily: the other commands start faster without it.
      const { loadDemo } = await import('../demo/load-demo.ts')
      const onProgress = (text: string): void => config.say(`${text} …`)
      const apps = await loadDemo({ database, clock: systemClock, dataDir: config.dataDir, onProgress })
      const text =
        'The demo data is up to date. A running service calculates its prayer times and event dates within seconds.'
      return {
        text,
        json: {
          api_key: apps.apiKey,
          client_id: apps.serverClientId,
          client_secret: apps.serverClientSecret,
          public_client_id: apps.publicClientId,
        },
      }
    })
  },
}

// `minaret app lifetimes`: how long the tokens of an app live, within bounds.
import { setLifetimes } from '../apps/lifetimes.ts'
import { commandActor } from '../audit/record-audit.ts'
import { type Command, type Options, optionalText } from './command.ts'
import { appOptions, findNamedApp } from './find-app.ts'
import { withDatabase } from './with-database.ts'

const secondsOr = (options: Options, name: string, present: number): number => {
  const text = optionalText(options, name)
  return text === undefined ? present : Number(text)
}

export const appLifetimesCommand: Command = {
  name: 'app lifetimes',
  summary: 'Choose how long the tokens of an app live, in seconds; shorter than the defaults only.',
  usage:
    'app lifetimes (--id ID | --client-id CLIENT_ID) [--access SECONDS] [--refresh-idle SECONDS] [--refresh-total SECONDS] [--json]',
  options: {
    ...appOptions,
    access: { type: 'string' },
    'refresh-idle': { type: 'string' },
    'refresh-total': { type: 'string' },
  },
  required: [],
  run: (options, config) =>
    withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      const chosen = {
        accessSeconds: secondsOr(options, 'access', app.accessSeconds),
        refreshIdleSeconds: secondsOr(options, 'refresh-idle', app.refreshIdleSeconds),
        refreshTotalSeconds: secondsOr(options, 'refresh-total', app.refreshTotalSeconds),
      }
      await setLifetimes(database, { appId: app.id, actor: commandActor, ...chosen })
      const { accessSeconds, refreshIdleSeconds, refreshTotalSeconds } = chosen
      return {
        text: `Tokens of ${app.name} live for ${accessSeconds} s; refresh tokens for ${refreshIdleSeconds} s without use, ${refreshTotalSeconds} s in all.`,
        json: { access: accessSeconds, refresh_idle: refreshIdleSeconds, refresh_total: refreshTotalSeconds },
      }
    }),
}

// `minaret secret rotate`: everything that the former secret sealed is sealed with the new one, and the former one opens nothing any more.
import { commandActor, recordAudit } from '../../audit/record-audit.ts'
import { createLogger } from '../../base/log.ts'
import type { Secrets } from '../../base/secrets.ts'
import { openDatabase } from '../../db/database.ts'
import { StartFault } from '../../db/embedded/start-fault.ts'
import { withRefusalsExplained } from '../../db/explain-refusal.ts'
import { migrate } from '../../db/migrate.ts'
import type { Store } from '../../db/store.ts'
import type { Command, CommandConfig, Outcome } from '../command.ts'
import { borrow } from '../with-database.ts'
import { countFormerLogins, createLogins, dropLogins } from './change-logins.ts'
import { type Resealed, resealAll } from './reseal.ts'

const formerOf = (secrets: Secrets): string => {
  const [current, former] = secrets
  if (former === undefined || former === current)
    throw new StartFault(
      'Set MINARET_SECRET to the new secret and MINARET_SECRET_PREVIOUS to the one used until now, for this command and for every process of the service.',
    )
  return former
}

const refuseIfUsed = (count: number): void => {
  if (count > 0)
    throw new StartFault(
      `${count} connections belong to processes that know only the former secret. Restart these with MINARET_SECRET and MINARET_SECRET_PREVIOUS, then run this again.`,
    )
}

const lineOf = ({ what, resealed, unopened }: Resealed): string =>
  `  ${what}: ${resealed}${unopened === 0 ? '' : `; ${unopened} were sealed with yet another secret, and are left as they are`}`

const outcomeOf = (resealed: readonly Resealed[], left: readonly string[]): Outcome => ({
  text: [
    'Sealed again with the new secret:',
    ...resealed.map(lineOf),
    left.length === 0
      ? 'The logins of the former secret are dropped.'
      : `As a superuser, run: ${left.map(name => `drop role ${name}`).join('; ')};`,
    'Now remove MINARET_SECRET_PREVIOUS, and restart the processes. If the former secret has leaked, revoke the signing keys too.',
  ].join('\n'),
  json: { resealed, logins_left: left },
})

const rotate = async (store: Store, config: CommandConfig): Promise<Outcome> => {
  const former = formerOf(store.secrets)
  const log = createLogger(config.logLevel === 'info' ? 'warn' : config.logLevel)
  await migrate(store.owner, log)
  const database = openDatabase(store.owner, { poolSize: 2, log })
  try {
    refuseIfUsed(await countFormerLogins(database, former))
    const resealed = await database.transaction(async transaction => {
      const done = await resealAll(transaction, store.secrets)
      await recordAudit(transaction, { action: 'secret.rotated', actor: commandActor })
      return done
    })
    await withRefusalsExplained(store.owner, () => createLogins(store.owner, store.secret))
    return outcomeOf(resealed, await dropLogins(database, former))
  } finally {
    await database.close()
  }
}

export const secretRotateCommand: Command = {
  name: 'secret rotate',
  summary: 'Seal everything with the new MINARET_SECRET, beside the running service.',
  usage: 'secret rotate [--json]',
  options: {},
  required: [],
  run: async (_options, config) => {
    const store = await borrow(config)
    try {
      return await rotate(store, config)
    } finally {
      await store.close()
    }
  },
}

// `minaret signing-keys list` and `minaret signing-keys rotate`.
import { systemClock } from '../base/clock.ts'
import { createLogger } from '../base/log.ts'
import { deriveSecret } from '../base/secrets.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import type { KeyKeeper } from '../oauth/signing-keys/maintain-keys.ts'
import { rotateKeys } from '../oauth/signing-keys/rotate-keys.ts'
import { SIGNING_KEYS_PURPOSE } from '../oauth/signing-keys/seal.ts'
import type { Command, CommandConfig, Outcome } from './command.ts'
import { borrow } from './with-database.ts'

interface KeyLine {
  readonly kid: string
  readonly algorithm: string
  readonly state: string
  readonly created_at: Date
}

const withKeeper = async (config: CommandConfig, work: (keeper: KeyKeeper) => Promise<Outcome>): Promise<Outcome> => {
  const log = createLogger(config.logLevel)
  const store = await borrow(config)
  let database: Database | undefined
  try {
    await migrate(store.owner, log)
    database = openDatabase(store.owner, { poolSize: 2, log })
    return await work({ database, secret: deriveSecret(store.secret, SIGNING_KEYS_PURPOSE) })
  } finally {
    await database?.close()
    await store.close()
  }
}

const listKeys = async ({ database }: KeyKeeper): Promise<Outcome> => {
  const keys = await database.query<KeyLine>(
    sql`select kid, algorithm, state, created_at from minaret.signing_keys order by algorithm, created_at desc`,
  )
  const lines = keys.map(key => `${key.algorithm}  ${key.state.padEnd(8)} ${key.created_at.toISOString()}  ${key.kid}`)
  return {
    text: lines.join('\n') || 'There are no signing keys yet: the service creates them when it starts.',
    json: { keys },
  }
}

const rotate = async (keeper: KeyKeeper): Promise<Outcome> => {
  const now = systemClock.now()
  const { takesEffectAt } = await rotateKeys(keeper, now)
  const text =
    takesEffectAt <= now
      ? 'The next keys are now in use; new next keys are published.'
      : `The next keys are too new for every client to know them. They will be used from ${takesEffectAt.toISOString()} on.`
  return { text, json: { takes_effect_at: takesEffectAt.toISOString(), immediate: takesEffectAt <= now } }
}

export const signingKeysListCommand: Command = {
  name: 'signing-keys list',
  summary: 'List the keys that sign tokens.',
  usage: 'signing-keys list [--json]',
  options: {},
  required: [],
  run: (_options, config) => withKeeper(config, listKeys),
}

export const signingKeysRotateCommand: Command = {
  name: 'signing-keys rotate',
  summary: 'Switch to the next signing keys, without a restart.',
  usage: 'signing-keys rotate [--json]',
  options: {},
  required: [],
  run: (_options, config) => withKeeper(config, rotate),
}

// `minaret signing-keys list`, `minaret signing-keys rotate` and `minaret signing-keys revoke`.

import { commandActor, recordAudit } from '../audit/record-audit.ts'
import { systemClock } from '../base/clock.ts'
import { createLogger } from '../base/log.ts'
import { deriveSecrets } from '../base/secrets.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { StartFault } from '../db/embedded/start-fault.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import type { KeyKeeper } from '../oauth/signing-keys/maintain-keys.ts'
import { revokeKey } from '../oauth/signing-keys/revoke-key.ts'
import { rotateKeys } from '../oauth/signing-keys/rotate-keys.ts'
import { SIGNING_KEYS_PURPOSE } from '../oauth/signing-keys/seal.ts'
import { type Command, type CommandConfig, type Outcome, textOption } from './command.ts'
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
    return await work({ database, secret: deriveSecrets(store.secrets, SIGNING_KEYS_PURPOSE) })
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

const revoke = async (keeper: KeyKeeper, kid: string): Promise<Outcome> => {
  if (!(await revokeKey(keeper, kid, systemClock.now())))
    throw new StartFault(`There is no signing key ${kid}: bin/minaret signing-keys list shows them.`)
  await recordAudit(keeper.database, { action: 'signing_keys.revoked', actor: commandActor, detail: { kid } })
  return {
    text: `The key ${kid} is gone: what it signed is refused from now on. Clients that keep our keys in memory may need minutes to learn the next one.`,
    json: { revoked: kid },
  }
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

export const signingKeysRevokeCommand: Command = {
  name: 'signing-keys revoke',
  summary: 'Withdraw a key that has leaked: every token that it signed ends at once.',
  usage: 'signing-keys revoke --kid KID [--json]',
  options: { kid: { type: 'string' } },
  required: ['kid'],
  run: (options, config) => withKeeper(config, keeper => revoke(keeper, textOption(options, 'kid'))),
}

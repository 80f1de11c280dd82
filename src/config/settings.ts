// Every setting. `docs/configuration.md` is generated from this, and the type of `Config` follows from it.
import { databaseSettings } from './database-settings.ts'
import { identitySettings } from './identity-settings.ts'
import { observabilitySettings } from './observability-settings.ts'
import { requestSettings } from './request-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import { servingSettings } from './serving-settings.ts'
import { settingsIn, type ValuesOf } from './setting.ts'

export const settings = {
  ...servingSettings,
  ...databaseSettings,
  ...identitySettings,
  ...requestSettings,
  ...retentionSettings,
  ...observabilitySettings,
}

export type Values = ValuesOf<typeof settings>

export const allSettings = settingsIn(settings)

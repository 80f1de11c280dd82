// A command without DATABASE_URL and DATA_DIR → works on the checkout it belongs to, or is refused: beside an installed service it would
// make a database of its own, and say that all is well.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OWN_DATA, projectFolder } from '../config/database-settings.ts'
import { findHome } from '../db/embedded/home.ts'
import { StartFault } from '../db/embedded/start-fault.ts'
import type { CommandConfig } from './command.ts'

/** Settings of a service on this machine, as in deploy/minaret.service. */
const SERVICE_SETTINGS = '/etc/minaret/minaret.env'

const isCheckout = (): boolean => existsSync(join(projectFolder, '.git', 'HEAD'))
const hasOwnData = (): boolean => existsSync(join(findHome(OWN_DATA).data, 'PG_VERSION'))

/** @throws {StartFault} if nobody said which installation is meant. */
export const checkInstallation = ({ databaseUrl, dataDir }: Pick<CommandConfig, 'databaseUrl' | 'dataDir'>): void => {
  if (databaseUrl !== undefined || dataDir !== OWN_DATA) return
  if (!existsSync(SERVICE_SETTINGS) && (isCheckout() || hasOwnData())) return
  throw new StartFault(
    `Neither DATABASE_URL nor DATA_DIR is set, so it is not known which installation is meant. Beside a service of systemd run ${join(projectFolder, 'bin/minaret-service')} as root, which uses the service's settings; otherwise set one of them.`,
  )
}

// A process that has a watchdog and nothing else, and gets stuck.
import { createLogger } from '../../src/base/log.ts'
import { startWatchdog } from '../../src/service/watchdog/start-watchdog.ts'

const spin = (): never => {
  for (;;);
}

startWatchdog(createLogger('error'))
setTimeout(spin, 100)

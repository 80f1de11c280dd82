// The unit of the service → a command in its environment: settings from its files, secrets from the files that only root reads.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const unitFile = process.env.MINARET_UNIT ?? '/etc/systemd/system/minaret.service'

const fail = message => {
  console.error(message)
  process.exit(1)
}

const read = file => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return fail(`${file} cannot be read (${error.code}). Run this as root; MINARET_UNIT names another unit.`)
  }
}

const unit = read(unitFile)
const values = name => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value.trim())

/** `secret:/etc/minaret/secret`; `%d/secret` is where systemd shows it to the service. */
const credentials = new Map(values('LoadCredential').map(value => value.split(':')))
const withCredentials = value => value.replace(/^%d\/(.+)$/, (whole, name) => credentials.get(name) ?? whole)

const fromUnit = values('Environment').map(pair => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), withCredentials(pair.slice(at + 1))]
})
const fromFiles = values('EnvironmentFile').map(file => parseEnv(read(file.replace(/^-/, ''))))

const { PATH, HOME, TERM, LANG, NO_COLOR } = process.env
const environment = Object.assign({ PATH, HOME, TERM, LANG, NO_COLOR }, Object.fromEntries(fromUnit), ...fromFiles)
// The service's own, which others must not write to.
delete environment.NODE_COMPILE_CACHE
for (const [name, value] of Object.entries(environment)) if (value === undefined) delete environment[name]

const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], { env: environment, stdio: 'inherit' })
process.exit(status ?? 1)

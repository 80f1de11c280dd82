// What the deployment files may name: settings of the service, and variables of the programs around it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, readConfig } from '../../src/config/config.ts'
import { allSettings } from '../../src/config/settings.ts'
import { temporaryFolder } from '../support/process.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export const readDeployed = (path: string): string => readFileSync(`${root}deploy/${path}`, 'utf8')

const settings = new Set(allSettings.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])))

/** Node's own. */
const others = new Set(['NODE_COMPILE_CACHE'])

export const unknownSettings = (environment: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(environment).filter(name => !settings.has(name) && !others.has(name))

const examples: Readonly<Record<string, string>> = {
  MINARET_SECRET: 'q9Zr4Tn1vKf8Wm2Xc7Bd5Hy3Lj6Gp0AsUeIoNw',
  SMTP_URL: 'smtps://user:password@mail.example.org',
}

/** Reads a deployment's environment as the service would, with the files of its secrets in place. */
export const configOf = (environment: Readonly<Record<string, string>>): Config => {
  const folder = temporaryFolder()
  try {
    const withFiles = Object.entries(environment).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value]
      const file = join(folder.path, name)
      writeFileSync(
        file,
        `${examples[name.replace(/_FILE$/, '')] ?? 'postgres://minaret:password@db.example.org/minaret'}\n`,
      )
      return [name, file]
    })
    return readConfig({ NODE_ENV: 'production', ...Object.fromEntries(withFiles) })
  } finally {
    folder.remove()
  }
}

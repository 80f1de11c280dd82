// `systemctl VERB UNIT …` in a machine without systemd: units are started as they say, as far as that takes no systemd.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const NOBODY = 65534

// As systemd's, whoever asks it.
process.umask(0o022)

/** Debian's own units. */
const debian: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nginx: {
    start: 'nginx',
    reload: 'nginx -t && nginx -s reload',
    stop: 'nginx -s quit',
    restart: 'nginx -s quit; nginx',
  },
  postgresql: Object.fromEntries(
    ['start', 'stop', 'restart', 'reload'].map(verb => [
      verb,
      `pg_lsclusters --no-header | while read -r version name _; do pg_ctlcluster "$version" "$name" ${verb}; done`,
    ]),
  ),
}

const pidFile = (name: string): string => `/run/${name}.pid`

const readUnit = (name: string): ((setting: string) => string[]) => {
  const text = readFileSync(`/etc/systemd/system/${name}.service`, 'utf8')
  return setting => [...text.matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].map(([, value = '']) => value.trim())
}

/** Copies of the secrets that the service alone may read: `%d`. */
const giveCredentials = (name: string, credentials: readonly string[]): string => {
  const folder = `/run/credentials/${name}.service`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  for (const [id = '', source = ''] of credentials.map(value => value.split(':'))) {
    copyFileSync(source, `${folder}/${id}`)
    chownSync(`${folder}/${id}`, NOBODY, NOBODY)
  }
  return folder
}

const environmentOf = (name: string, values: (setting: string) => string[]): NodeJS.ProcessEnv => {
  const credentials = giveCredentials(name, values('LoadCredential'))
  const own = values('Environment').map(pair => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1).replace('%d', credentials)]
  })
  const files = values('EnvironmentFile').map(file => parseEnv(readFileSync(file, 'utf8')))
  return Object.assign({ PATH: process.env.PATH }, Object.fromEntries(own), ...files)
}

/** `/bin/sh -c '…'`: words, of which one may be quoted; `%%` is a percent sign. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').replaceAll('%%', '%').replaceAll('$$', '$'),
  )

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const start = (name: string): number => {
  const values = readUnit(name)
  const isDynamic = values('DynamicUser').includes('yes')
  for (const cache of values('CacheDirectory')) {
    mkdirSync(`/var/cache/${cache}`, { recursive: true })
    chownSync(`/var/cache/${cache}`, NOBODY, NOBODY)
  }
  const drop = [
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--no-new-privs',
  ]
  const words = [...(isDynamic ? [...drop, '--'] : []), ...wordsOf(String(values('ExecStart')[0]))]
  const log = openSync(`/var/log/journal-${name}.log`, 'a')
  const options = {
    cwd: values('WorkingDirectory')[0] ?? '/',
    env: environmentOf(name, values),
    stdio: ['ignore', log, log] as ['ignore', number, number],
  }
  if (values('Type')[0] === 'oneshot') return spawnSync(String(words[0]), words.slice(1), options).status ?? 1
  const child = spawn(String(words[0]), words.slice(1), { ...options, detached: true })
  child.unref()
  writeFileSync(pidFile(name), String(child.pid))
  return child.pid === undefined ? 1 : 0
}

const pause = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const stop = (name: string): number => {
  if (!existsSync(pidFile(name))) return 0
  const pid = Number(readFileSync(pidFile(name), 'utf8'))
  if (isAlive(pid)) process.kill(pid, 'SIGTERM')
  while (isAlive(pid)) pause(20)
  rmSync(pidFile(name))
  return 0
}

const act = (verb: string, unit: string): number => {
  const name = unit.replace(/\.service$/, '')
  const command = debian[name]?.[verb]
  if (command !== undefined) return spawnSync('bash', ['-c', command], { stdio: 'inherit' }).status ?? 1
  if (unit.endsWith('.timer')) return existsSync(`/etc/systemd/system/${unit}`) ? 0 : 1
  if (verb === 'start') return start(name)
  if (verb === 'stop') return stop(name)
  if (verb === 'status') return existsSync(pidFile(name)) ? 0 : 3
  if (verb === 'restart') return stop(name) || start(name)
  return 1
}

const words = process.argv.slice(2)
const [verb = '', ...units] = words.filter(word => !word.startsWith('--'))
if (verb === 'daemon-reload') process.exit(0)
if (verb === 'enable' && !words.includes('--now')) process.exit(0)
const statuses = units.map(unit => act(verb === 'enable' ? 'start' : verb, unit))
process.exit(statuses.find(status => status !== 0) ?? 0)

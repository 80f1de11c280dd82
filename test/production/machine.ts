// A machine as empty as Debian leaves it: the namespaces of a process of ours, with a network of its own, and folders whose changes
// are seen in there only and end with it. So commands can be run as a page shows them, with its paths, ports and accounts.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openNamespaces } from '../../scripts/cluster/namespaces.ts'
import { temporaryFolder } from '../support/process.ts'

const standIns = fileURLToPath(new URL('stand-ins/', import.meta.url))

const programs = {
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/bin/pg_createcluster': 'postgresql-common',
  '/usr/bin/pgbackrest': 'pgbackrest',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/curl': 'curl',
  '/usr/sbin/ip': 'iproute2',
}

const canUnshare = (): boolean =>
  existsSync('/usr/bin/setpriv') &&
  spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'true'], { stdio: 'ignore' }).status === 0

/** For the options of a test. */
export const noMachine: string | false = canUnshare() ? false : 'namespaces take root and util-linux.'

/** @throws if a program is missing: a test that needs it has to fail. */
export const requirePrograms = (): void => {
  const missing = Object.entries(programs).filter(([program]) => !existsSync(program))
  if (missing.length > 0)
    throw new Error(`Not installed: ${missing.map(([, name]) => name).join(', ')}. npm test -- --all installs them.`)
}

const SET_UP = `
mount -t tmpfs none "$1/layers"
for folder in etc var usr/local; do
  layer="$1/layers/$(echo "$folder" | tr / -)"
  mkdir -p "$layer/upper" "$layer/work"
  mount -t overlay none -o "lowerdir=/$folder,upperdir=$layer/upper,workdir=$layer/work" "/$folder"
done
mount -t tmpfs -o mode=755 none /run
mount -t tmpfs -o mode=755 none /opt
for folder in /etc/postgresql /var/lib/postgresql /var/log /var/backups /etc/nginx/sites-enabled; do
  mount -t tmpfs -o mode=755 none "$folder"
done
mkdir -p /run/lock /var/log/nginx /var/log/postgresql /etc/nginx/sites-available
chown postgres: /etc/postgresql /var/lib/postgresql /var/log/postgresql
rm -rf /etc/minaret /etc/letsencrypt /etc/systemd/system/minaret*
ip link set lo up
echo '127.0.0.1 id.example.org sandbox.example.org mail.example.org nobody.example.org' >> /etc/hosts
`

interface Ran {
  readonly status: number
  readonly output: string
}

export interface Machine {
  /** Where both sides see the same files. */
  readonly folder: string
  /** As root in a shell that stops at the first command that fails. */
  run(script: string, environment?: Readonly<Record<string, string>>): Ran
  /** What it prints; throws with that if it fails. */
  succeed(script: string, environment?: Readonly<Record<string, string>>): string
  /** A program that goes on until the machine ends. */
  start(words: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess
  stop(): Promise<void>
}

export const startMachine = async (): Promise<Machine> => {
  const folder = temporaryFolder()
  spawnSync('mkdir', [`${folder.path}/layers`])
  const { enter, stop } = await openNamespaces(SET_UP, [folder.path])
  const base = {
    PATH: `${standIns}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: '/root',
    LANG: 'C.UTF-8',
    MACHINE: folder.path,
    MACHINE_NODE: process.execPath,
    CURL_CA_BUNDLE: '/etc/ssl/machine-authority.pem',
    NODE_EXTRA_CA_CERTS: '/etc/ssl/machine-authority.pem',
  }
  const run: Machine['run'] = (script, environment = {}) => {
    // Its descendants may keep a pipe open for as long as they live, so what it says goes to a file.
    const inside = `exec > ${folder.path}/output 2>&1 < /dev/null; cd /; set -e; ${script}`
    const words = [...enter, 'bash', '-c', inside]
    const { status } = spawnSync('nsenter', words, {
      env: { ...base, ...environment },
      stdio: 'ignore',
      timeout: 300_000,
    })
    return { status: status ?? 1, output: readFileSync(`${folder.path}/output`, 'utf8') }
  }
  return {
    folder: folder.path,
    run,
    succeed: (script, environment) => {
      const { status, output } = run(script, environment)
      if (status !== 0) throw new Error(`It failed with ${status}:\n${script}\n\n${output}`)
      return output
    },
    start: (words, environment = {}) =>
      spawn('nsenter', [...enter, ...words], { env: { ...base, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] }),
    stop: async () => {
      await stop()
      folder.remove()
    },
  }
}

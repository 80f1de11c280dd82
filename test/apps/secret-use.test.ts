// The console shows when a secret was last used, so that its owner knows which one can be revoked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createSecret, listSecrets } from '../../src/apps/secrets.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import { makeApp } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()

test('a token request records the use of its secret, and of no other', async () => {
  const { database } = minaret().service
  const { id, clientId, clientSecret } = await makeApp(database, { kind: 'confidential' })
  await createSecret(database, { appId: id, actor })
  const response = await fetch(`${minaret().baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  assert.equal(response.status, 200)
  const deadline = performance.now() + 60_000
  for (;;) {
    const [used, unused] = await listSecrets(database, id)
    assert.equal(unused?.lastUsedAt, null)
    if (used?.lastUsedAt instanceof Date) return
    assert.ok(performance.now() < deadline, 'the use was not recorded')
    await delay(100)
  }
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { redactText } from './log.ts'

const secrets = {
  'an API key': 'mk_live_0123456789abcdefghijklmnopqrstuvABCDEF',
  'a refresh token': 'rt_9bXzJ4gE0wq7uE4Q9bXzJ4gE0wq7uE4Q9bXzJ4gE0wq',
  'a secret of webhooks': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/==',
  'a JSON Web Token': 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'a bearer header': 'Bearer abcdefghijklmnop',
  'a basic header': 'Basic Y2xpZW50OnNlY3JldA==',
  'an email address': 'someone@example.org',
  'a password in an address': 'postgres://minaret:hunter2hunter2@db/minaret',
}

for (const [what, secret] of Object.entries(secrets)) {
  test(`${what} never reaches the log as text`, () => {
    const redacted = redactText(`before ${secret} after`)
    assert.ok(!redacted.includes(secret) && !redacted.includes('hunter2'), redacted)
    assert.match(redacted, /^before .*after$/)
  })
}

test('known secrets are redacted, and lines are JSON without a terminal', () => {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)}
    const err = new Error('for rt_9bXzJ4gE0wq7uE4Q9bXzJ4gE0wq7uE4Q')
    createLogger('info').info({ password: 'hunter2', body: { client_secret: 'hunter2' }, err }, 'told')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  assert.equal(JSON.parse(stderr).msg, 'told')
  assert.ok(!stderr.includes('hunter2') && !stderr.includes('9bXz'), stderr)
})

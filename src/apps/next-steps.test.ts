import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from './app.ts'
import { type AppSigns, nextSteps, wayToFirstAnswer } from './next-steps.ts'

const app = (state: App['state'], kind: App['kind'] = 'confidential') => ({ state, kind }) as App
const quiet: AppSigns = {
  changeWaits: false,
  tried: true,
  hasCredential: true,
  answered: true,
  unusedSecret: false,
  failingWebhook: false,
  requests: 100,
  errors: 5,
  requestsBefore: 100,
  errorsBefore: 5,
}

test('an app that is doing well has nothing to do; each state and sign says what comes next', () => {
  assert.deepEqual(nextSteps(app('approved'), quiet), [])
  assert.deepEqual(nextSteps(app('pending'), { ...quiet, tried: false }), ['try', 'wait'])
  assert.deepEqual(nextSteps(app('pending'), quiet), ['wait'])
  const asked = { ...app('pending'), changesRequestedAt: new Date(0) }
  assert.deepEqual(nextSteps(asked, quiet), ['reply'], 'it waits for its team, not for the reviewer')
  assert.deepEqual(nextSteps(app('rejected'), quiet), ['fix'])
  assert.deepEqual(nextSteps(app('suspended'), quiet), ['suspended'])
  const fresh = { ...quiet, hasCredential: false, answered: false }
  assert.deepEqual(nextSteps(app('approved'), fresh), ['credential'])
  assert.deepEqual(nextSteps(app('approved', 'public'), fresh), ['ask'])
  const worse = { ...quiet, errors: 30, failingWebhook: true, unusedSecret: true, changeWaits: true }
  assert.deepEqual(nextSteps(app('approved'), worse), ['errors', 'webhook', 'unusedSecret', 'change'])
})

test('errors rise when their share at least doubles, not when there are only a few, nor with the requests', () => {
  const rises = (signs: Partial<AppSigns>) => nextSteps(app('approved'), { ...quiet, ...signs }).includes('errors')
  assert.equal(rises({ errors: 10 }), true)
  assert.equal(rises({ errors: 9 }), false)
  assert.equal(rises({ requests: 1000, errors: 60 }), false)
  assert.equal(rises({ errors: 10, requestsBefore: 0, errorsBefore: 0 }), true)
})

test('the way to the first answer is done when there was one', () => {
  assert.ok(Object.values(wayToFirstAnswer(app('approved'), quiet)).every(done => done))
  assert.equal(wayToFirstAnswer(app('pending'), { ...quiet, answered: false }).credential, false)
})

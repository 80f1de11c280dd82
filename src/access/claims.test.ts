import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../test/support/holds.ts'
import { allClaims, claimsFor, isPlain } from './claims.ts'
import { allScopes } from './scopes.ts'

const scopes = fc.subarray([...allScopes])
const claims = fc.subarray([...allClaims])

test('with openid the scopes choose the claims; without it the app gets what its reviewer allows', () => {
  const plainClaims = allClaims
  assert.deepEqual(claimsFor({ scopes: ['openid'], plain: false, plainClaims }), [])
  assert.deepEqual(claimsFor({ scopes: ['openid', 'profile'], plain: false, plainClaims }), ['name', 'picture'])
  assert.deepEqual(claimsFor({ scopes: ['masjid:read'], plain: true, plainClaims }), allClaims)
  assert.deepEqual(claimsFor({ scopes: ['masjid:read'], plain: true, plainClaims: [] }), [])
  assert.deepEqual(claimsFor({ scopes: ['email'], plain: true, plainClaims: [] }), ['email'])
})

test('fewer scopes, or fewer claims allowed by the reviewer, never add a claim', async () => {
  await holds(
    fc.property(scopes, scopes, claims, claims, (granted, dropped, plainClaims, withheld) => {
      const plain = isPlain(granted)
      const before = claimsFor({ scopes: granted, plain, plainClaims })
      const after = claimsFor({
        scopes: granted.filter(scope => !dropped.includes(scope)),
        plain,
        plainClaims: plainClaims.filter(claim => !withheld.includes(claim)),
      })
      assert.ok(after.every(claim => before.includes(claim)))
    }),
  )
})

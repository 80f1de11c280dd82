// What the audit log says of tokens: each authorization is a row, and so is a refresh from elsewhere; the others are counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { withClient } from '../../src/db/with-client.ts'
import { startTestMinaret } from '../support/minaret.ts'
import { basic, getTokens, makeClient, makeFlow, postToken, readTokens } from '../support/oauth.ts'

interface Row {
  readonly detail: { grant: string; grant_id?: string; count?: number }
  readonly address: string | null
  readonly user_id: string | null
}

const from = (address: string) => ({ 'x-forwarded-for': address })

test('a row for each authorization and each change of address, and a count of all others when the service stops', async () => {
  const minaret = await startTestMinaret({ TRUST_PROXY: 'on' })
  try {
    const flow = await makeFlow(minaret)
    let { refresh_token: token, access_token } = await getTokens(minaret, flow)
    const home = '198.51.100.7'
    const elsewhere = '203.0.113.9'
    for (const address of [home, home, home, home, elsewhere, elsewhere]) {
      const form = { grant_type: 'refresh_token', refresh_token: token, client_id: flow.app.clientId }
      token = (await readTokens(await postToken(minaret, form, from(address)))).refresh_token
    }
    const own = await makeClient(minaret.service.database, { kind: 'confidential' })
    for (const address of [home, home, home, elsewhere])
      await readTokens(
        await postToken(minaret, { grant_type: 'client_credentials' }, { ...basic(own), ...from(address) }),
      )
    await minaret.service.stop()
    const { rows } = await withClient({ connectionString: minaret.databaseUrl }, client =>
      client.query<Row>(`select detail, address, user_id from minaret.audit_log where action = 'oauth.token_issued'
        order by id`),
    )
    const { id } = flow.user
    const grant = String(decodeJwt(access_token).grant_id)
    const told = rows.map(({ detail, address, user_id }) =>
      [detail.grant, detail.grant_id ?? '', address ?? '', user_id ?? '', detail.count ?? 1].join(' '),
    )
    const rest = ['refresh_token    1', 'refresh_token    3']
    assert.deepEqual(
      told.filter(one => !one.includes('127.0.0.1')).sort(),
      [
        `client_credentials  ${home}  1`,
        `client_credentials  ${home}  2`,
        `client_credentials  ${elsewhere}  1`,
        `refresh_token ${grant} ${home} ${id} 1`,
        `refresh_token ${grant} ${elsewhere} ${id} 1`,
        ...rest,
      ].sort(),
    )
    assert.equal(told.filter(one => one.startsWith(`authorization_code ${grant}`)).length, 1)
  } finally {
    await minaret.stop()
  }
})

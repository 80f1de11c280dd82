import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { makeKey } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { type Flow, getTokens, makeFlow, refresh, type Tokens } from '../support/oauth.ts'

let flow: Flow
let tokens: Tokens
let key: string
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running)
  tokens = await getTokens(running, flow)
  key = (await makeKey(running.service.database, { appId: flow.app.id })).key
})

/** The server's own error, from where it would occur. */
const fillDisk = `
  create function minaret.disk_is_full() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file' using errcode = '53100';
  end $$;
  create trigger full_disk before insert or update on minaret.refresh_tokens
    for each statement execute function minaret.disk_is_full()`

test('a full disk is 503 storage-full for what writes, reading goes on, and afterwards nothing was lost', async () => {
  const { database } = minaret().service
  await database.run(rawSql(fillDisk))
  const refused = await refresh(minaret(), flow.app, tokens.refresh_token)
  assert.equal(refused.status, 503)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  const { error } = (await refused.json()) as { error: string }
  assert.equal(error, 'storage-full')
  const asked = await fetch(`${minaret().baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ up_masjids { id } }' }),
  })
  assert.equal(asked.status, 200)
  await database.run(rawSql('drop trigger full_disk on minaret.refresh_tokens'))
  assert.equal((await refresh(minaret(), flow.app, tokens.refresh_token)).status, 200)
})

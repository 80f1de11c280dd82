// Internal errors: the caller gets an id, and the log has the details under the same id.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { openDatabase } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { createTestDatabase } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { startMinaretProcess } from '../support/process.ts'

const broken = `
  create function public.fail_inside() returns int language plpgsql volatile
    as $$ begin raise exception 'the secret of the inside' using errcode = '55000'; end $$;
  grant execute on function public.fail_inside() to public;
  create view public.up_broken as select public.fail_inside() as id;
  comment on view public.up_broken is '@scope masjid:read'`

test('an internal error shows an id that is also in the log, and neither SQL nor a stack trace', async () => {
  const created = await createTestDatabase()
  const database = openDatabase(created.connection, { poolSize: 2, log: createLogger('silent') })
  try {
    await database.run(rawSql(broken))
    const { key } = await makeKey(database, { appId: (await makeApp(database)).id })
    const minaret = await startMinaretProcess({
      DATABASE_URL: created.url,
      MINARET_SECRET: TEST_SECRET,
      DEMO_DATA: 'off',
      LOG_LEVEL: 'error',
    })
    try {
      const response = await fetch(`${minaret.baseUrl}/v1/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ up_broken { id } }' }),
      })
      const text = await response.text()
      assert.equal(response.status, 500, text)
      const { errors } = JSON.parse(text) as { errors: { message: string; extensions: { code: string } }[] }
      assert.equal(errors[0]?.extensions.code, 'unexpected')
      assert.doesNotMatch(text, /inside|select|\bat \S+:\d+|node:|\.ts\b/i)
      const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(errors[0]?.message ?? '') ?? []
      assert.equal(response.headers.get('x-request-id'), id)
      await within(2000, 'the log has it', async () => minaret.output().includes(id))
      assert.match(minaret.output(), /the secret of the inside/)
    } finally {
      await minaret.stop()
    }
  } finally {
    await database.close()
    await created.drop()
  }
})

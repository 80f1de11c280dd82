// How often an image is fetched: again while its host is down for a moment, never for ever, never by two processes at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tidyUp } from '../../src/apps/housekeeping.ts'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { openListener } from '../../src/db/listener.ts'
import { sql } from '../../src/db/sql.ts'
import { createImageChecker } from '../../src/images/image-checker.ts'
import { claimImages, keepImage, refuseImage, type WaitingImage } from '../../src/images/images.ts'
import { ImageRefused } from '../../src/images/refused.ts'
import { startImageJob } from '../../src/images/start-image-job.ts'
import { makeApp, makePendingApp, makeUser } from '../support/apps.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type ImageHost, only, openImageHost, PICTURE } from '../support/image-host.ts'
import { ask, imageRow, makeDue, untilImage } from '../support/image-rows.ts'
import { within } from '../support/oauth.ts'

const log = createLogger('silent')
let host: ImageHost
let made: TestDatabase
let database: Database
before(async () => {
  host = await openImageHost()
  made = await createTestDatabase()
  database = openDatabase(made.connection, { poolSize: 6, log })
})
after(async () => {
  await database?.close()
  await made?.drop()
  await host?.close()
})

/** What one process of the service has of it, with connections of its own. */
const startProcess = async () => {
  const own = openDatabase(made.connection, { poolSize: 2, log })
  const listener = await openListener(made.connection, log)
  const images = createImageChecker()
  const job = await startImageJob({ database: own, listener, log, images, dial: host.dial })
  return {
    stop: async () => {
      await job.close()
      await images.end()
      await listener.close()
      await own.close()
    },
  }
}

const whileRunning = async (processes: number, work: () => Promise<void>): Promise<void> => {
  const running = await Promise.all(Array.from({ length: processes }, startProcess))
  await work().finally(() => Promise.all(running.map(({ stop }) => stop())))
}

const attempted = (address: string, attempts: number): Promise<void> =>
  within(60_000, `${address}, ${attempts} times`, async () => {
    const row = await imageRow(database, address)
    return row?.attempts === attempts && row.reason !== null
  })

test('a host that is down is tried four times, 1, 5 and 25 minutes apart, and then no more', async () => {
  const address = 'https://logo.test/down.png'
  host.answers.set('/down.png', only(503))
  await whileRunning(1, async () => {
    await ask(database, address)
    for (const [attempts, minutes] of [
      [1, 1],
      [2, 5],
      [3, 25],
    ] as const) {
      await attempted(address, attempts)
      await within(60_000, `wait ${minutes}`, async () => (await imageRow(database, address))?.minutes === minutes)
      const row = await imageRow(database, address)
      assert.deepEqual(row, { state: 'waiting', reason: 'status', status: 503, attempts, minutes })
      await makeDue(database, address)
    }
    await untilImage(database, address, ({ state }) => state === 'refused')
    await makeDue(database, address)
    const later = 'https://logo.test/after-the-fourth.png'
    await ask(database, later)
    await untilImage(database, later, ({ state }) => state === 'fetched')
  })
  assert.equal(host.countOf('/down.png'), 4)
})

test('temporary failures are retried, permanent ones are refused at once', async () => {
  host.answers.set('/cut.png', request => void request.socket.destroy())
  host.answers.set('/busy.png', only(429))
  host.answers.set('/gone.png', only(404))
  host.answers.set('/page.png', (_, response) => void response.end('<html>'))
  const expected = { cut: 'waiting', busy: 'waiting', gone: 'refused', page: 'refused' }
  await whileRunning(1, async () => {
    for (const [name, state] of Object.entries(expected)) {
      const address = `https://logo.test/${name}.png`
      await ask(database, address)
      await untilImage(database, address, ({ reason }) => reason !== null)
      assert.equal((await imageRow(database, address))?.state, state, name)
    }
    host.answers.delete('/cut.png')
    const back = 'https://logo.test/cut.png'
    await makeDue(database, back)
    await untilImage(database, back, ({ state }) => state === 'fetched')
    assert.equal((await imageRow(database, back))?.reason, null)
  })
})

test('an image that crashes its process every time is given up', async () => {
  const address = 'https://logo.test/deadly.png'
  await ask(database, address)
  const claimed = async (): Promise<WaitingImage | undefined> =>
    (await claimImages(database, 100)).find(image => image.address === address)
  for (const attempts of [1, 2, 3, 4]) {
    assert.equal((await claimed())?.attempts, attempts)
    assert.equal(await claimed(), undefined, 'while it is claimed')
    await makeDue(database, address)
  }
  assert.equal(await claimed(), undefined)
  assert.deepEqual(
    { ...(await imageRow(database, address)), minutes: 0 },
    { state: 'refused', reason: 'unreachable', status: null, attempts: 4, minutes: 0 },
  )
})

test('a process whose claim has expired cannot overwrite a later result', async () => {
  const address = 'https://logo.test/late.png'
  await ask(database, address)
  const claim = async (): Promise<WaitingImage> => {
    await makeDue(database, address)
    return (await claimImages(database, 100)).find(image => image.address === address) ?? assert.fail()
  }
  const [late, current] = [await claim(), await claim()]
  assert.equal(await refuseImage(database, late, new ImageRefused('broken')), 0)
  assert.equal(await keepImage(database, late, { type: 'image/png', content: PICTURE }), 0)
  assert.equal(await keepImage(database, current, { type: 'image/png', content: PICTURE }), 1)
  assert.equal(await refuseImage(database, current, new ImageRefused('broken')), 0)
})

test('three processes fetch thirty images, each of them once', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `/many-${index}.png`)
  await whileRunning(3, async () => {
    await Promise.all(names.map(name => ask(database, `https://logo.test${name}`)))
    for (const name of names) await untilImage(database, `https://logo.test${name}`, ({ state }) => state === 'fetched')
  })
  for (const name of names) assert.equal(host.countOf(name), 1, name)
})

const age = (addresses: readonly string[]): Promise<number> =>
  database.run(sql`
    update minaret.images set asked_at = now() - interval '2 days', try_at = now() + interval '1 day'
    where address = any (${addresses})`)

const leftOf = async (addresses: readonly string[]): Promise<string[]> => {
  const rows = await database.query<{ address: string }>(
    sql`select address from minaret.images where address = any (${addresses}) order by address`,
  )
  return rows.map(({ address }) => address)
}

test('housekeeping removes images that nothing refers to, a day after they were requested', async () => {
  const address = (name: string): string => `https://logo.test/kept/${name}.png`
  const names = ['app', 'change', 'deleted', 'fresh', 'old', 'person', 'withdrawn'].map(address)
  await makePendingApp(database, { logo: address('app') })
  const deleted = await makePendingApp(database, { logo: address('deleted') })
  await database.run(sql`update minaret.apps set deleted_at = now() where id = ${deleted}`)
  const { id } = await makeApp(database)
  for (const [name, state] of [
    ['change', 'pending'],
    ['withdrawn', 'withdrawn'],
  ] as const)
    await database.run(sql`
      insert into minaret.app_changes (app_id, proposed, requested_by, state, decided_at)
      select id, jsonb_build_object('logo', ${address(name)}::text), owner_id, ${state},
        case when ${state} <> 'pending' then now() end
      from minaret.apps where id = ${id}`)
  const person = await makeUser(database, { hashed: false })
  await database.run(sql`update minaret.users set picture = ${address('person')} where id = ${person.id}`)
  await ask(database, address('fresh'))
  await ask(database, address('old'))
  await age(names.filter(name => name !== address('fresh')))
  await tidyUp(database)
  assert.deepEqual(await leftOf(names), ['app', 'change', 'fresh', 'person'].map(address))
})

test('housekeeping keeps an image that an open transaction is choosing', async () => {
  const address = 'https://logo.test/chosen-again.png'
  const person = await makeUser(database, { hashed: false })
  await ask(database, address)
  await age([address])
  await database.transaction(async transaction => {
    await transaction.run(sql`update minaret.users set picture = ${address} where id = ${person.id}`)
    await tidyUp(database)
  })
  await tidyUp(database)
  assert.deepEqual(await leftOf([address]), [address])
})

// Somebody who looks after a masjid's members imports a list whose rows are all like each other, and like everybody who is recorded:
// comparing each with each must hold up nobody.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { useMinaret } from '../../support/minaret.ts'
import type { Shown } from '../../support/person.ts'
import { whileAsking } from '../bystander.ts'

const MEMBERS = 6000
const ROWS = 1900
const shared = /has the same telephone number/

describe('a list of members', () => {
  const minaret = useMinaret()

  const importList = async (phone: string | null, listed: string): Promise<Shown> => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    await database.run(sql`
      insert into public.ua_members (masjid_id, given_name, family_name, phone)
      select ${masjid.id}, 'Other ' || number, 'Member', ${phone} from generate_series(1, ${MEMBERS}) number`)
    const person = await visitAs(minaret(), await makeStaff(database, { masjid, capabilities: ['people'] }))
    const rows = Array.from({ length: ROWS }, (_, index) => `Name ${index},Listed,${listed}`)
    const list = ['First name,Family name,Phone', ...rows].join('\n')
    const path = `/staff/${masjid.slug}/people/import`
    const evidence = { given_how: 'paper', given_on: '2026-01-09', evidence: 'Forms of January' }
    return whileAsking(minaret(), () => person.submit(path, path, { ...evidence, list }))
  }

  test('whose telephone is that of everybody who is recorded', async () => {
    const { status, text } = await importList('+1 919 555 0100', '+1 919 555 0100')
    assert.equal(status, 200)
    assert.ok(shared.test(text))
  })

  test('whose telephone is nothing but zeros, where nobody who is recorded has one', async () => {
    const { status, text } = await importList(null, '000 000')
    assert.equal(status, 200)
    assert.ok(!shared.test(text), 'zeros are no number that two have in common')
  })
})

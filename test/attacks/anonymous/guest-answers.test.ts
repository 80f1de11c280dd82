// A stranger with the form for guests: to learn who answered, to take places, to answer for others, and to have us send mail.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { rawSql, sql } from '../../../src/db/sql.ts'
import {
  answerAsGuest,
  confirm,
  goingTo,
  guestFields,
  guestFrom,
  holdEvent,
  linkTo,
  mailsTo,
  rowsOf,
} from '../../masjid/use-guests.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'
import { hiddenFieldsOf } from '../../support/person.ts'

const newAddress = (): string => `guest-${randomUUID()}@example.org`
const bare = (text: string): string => text.replaceAll(/value="[^"]*"/g, '').replaceAll(/[\w-]+@[\w.]+/g, '@')

describe('a stranger with the form for guests', () => {
  const minaret = useMinaret({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
  const database = () => minaret().service.database
  const waiting = async (email: string): Promise<number> =>
    (await database().query(sql`select from public.guest_answers where guest_email = ${email}`)).length

  test('cannot tell whether an address has answered, has an account or had one: same page, same mail, not sooner', async () => {
    const held = await holdEvent(minaret())
    const answered = newAddress()
    await answerAsGuest(minaret(), held, guestFields(answered))
    await confirm(minaret(), await linkTo(minaret(), answered))
    const account = await makePerson(database())
    const pages: string[] = []
    for (const email of [newAddress(), answered, account.email]) {
      const before = (await mailsTo(minaret(), email)).length
      const since = performance.now()
      const shown = await answerAsGuest(minaret(), held, guestFields(email))
      assert.ok(performance.now() - since >= 300)
      assert.equal((await mailsTo(minaret(), email)).length, before + 1)
      pages.push(`${shown.status} ${bare(shown.text)} ${[...shown.headers.keys()].join()}`)
    }
    assert.equal(new Set(pages).size, 1)
  })

  test('cannot have a scanner of mails confirm: links that are opened change nothing, however often', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    const link = await linkTo(minaret(), email)
    for (const method of ['GET', 'HEAD', 'GET'])
      assert.equal((await fetch(minaret().baseUrl + link, { method })).status, 200)
    assert.deepEqual([await rowsOf(minaret(), held), await waiting(email)], [[], 1])
  })

  test('cannot use a link twice, nor ten times at once', async () => {
    const held = await holdEvent(minaret(), { capacity: 100 })
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    const link = await linkTo(minaret(), email)
    const visitor = guestFrom(minaret())
    const fields = hiddenFieldsOf((await visitor.get(link)).text, '/rsvp/confirm')
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await visitor.post('/rsvp/confirm', fields)).status),
    )
    assert.deepEqual([...statuses].sort(), [200, ...Array.from({ length: 9 }, () => 410)])
    assert.equal((await visitor.get(link)).status, 410)
    assert.deepEqual([(await rowsOf(minaret(), held)).length, await goingTo(minaret(), held)], [1, 2])
  })

  test('cannot forge a link, or change one', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    const token = new URL(await linkTo(minaret(), email), minaret().baseUrl).searchParams.get('token') ?? ''
    const visitor = guestFrom(minaret())
    const { anti_forgery: form = '' } = hiddenFieldsOf((await visitor.get(held.path)).text, held.path)
    const forged = [
      '',
      'x',
      token.slice(0, -1),
      `${token}a`,
      token.toLowerCase(),
      `${token}' or true --`,
      token.replace(/^./, ''),
    ]
    for (const one of forged.filter(text => text !== token)) {
      assert.equal((await visitor.get(`/rsvp/confirm?${new URLSearchParams({ token: one })}`)).status, 410, one)
      assert.equal((await visitor.post('/rsvp/confirm', { anti_forgery: form, token: one })).status, 410, one)
    }
    assert.deepEqual(await rowsOf(minaret(), held), [])
  })

  test('cannot send either form from another site, or without its token', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    const link = await linkTo(minaret(), email)
    const visitor = guestFrom(minaret())
    const token = new URL(link, minaret().baseUrl).searchParams.get('token') ?? ''
    assert.equal((await visitor.post('/rsvp/confirm', { token })).status, 403)
    assert.equal((await visitor.post(held.path, guestFields(newAddress()))).status, 403)
    const fields = hiddenFieldsOf((await visitor.get(link)).text, '/rsvp/confirm')
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }])
      assert.equal((await visitor.post('/rsvp/confirm', fields, headers)).status, 403)
    const other = guestFrom(minaret())
    await other.get(link)
    assert.equal((await other.post('/rsvp/confirm', fields)).status, 403)
    assert.deepEqual(await rowsOf(minaret(), held), [])
  })

  test('cannot answer where the masjid takes no guests, also with a link from before', async () => {
    const [open, shut] = [await holdEvent(minaret()), await holdEvent(minaret(), { guests: false })]
    const visitor = guestFrom(minaret())
    const fields = hiddenFieldsOf((await visitor.get(open.path)).text, open.path)
    const email = newAddress()
    const refused = await visitor.post(shut.path, { ...fields, ...guestFields(email) })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /takes no answers of guests/)
    assert.deepEqual([await mailsTo(minaret(), email), await waiting(email)], [[], 0])
    await answerAsGuest(minaret(), open, guestFields(email))
    const link = await linkTo(minaret(), email)
    await database().run(sql`update public.up_masjids set guest_rsvps = false where id = ${open.masjid.id}`)
    const late = await confirm(minaret(), link)
    assert.equal(late.status, 422)
    assert.deepEqual(await rowsOf(minaret(), open), [])
  })

  test('cannot answer what is cancelled, over, deleted, another masjid’s or nothing, also with a link from before', async () => {
    const ways: readonly (readonly [string, number])[] = [
      ["update public.up_event_occurrences set status = 'cancelled' where id =", 422],
      [
        "update public.up_event_occurrences set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id =",
        422,
      ],
      ['update public.up_event_occurrences set deleted_at = now() where id =', 404],
      [
        'update public.up_masjids masjid set deleted_at = now() from public.up_event_occurrences o where masjid.id = o.masjid_id and o.id =',
        404,
      ],
    ]
    for (const [statement, status] of ways) {
      const held = await holdEvent(minaret())
      const email = newAddress()
      const visitor = guestFrom(minaret())
      const fields = hiddenFieldsOf((await visitor.get(held.path)).text, held.path)
      await answerAsGuest(minaret(), held, guestFields(email))
      const confirming = guestFrom(minaret())
      const hidden = hiddenFieldsOf((await confirming.get(await linkTo(minaret(), email))).text, '/rsvp/confirm')
      await database().run(rawSql(`${statement} '${held.occurrence}'`))
      assert.equal((await confirming.post('/rsvp/confirm', hidden)).status, status, statement)
      const late = newAddress()
      assert.equal((await visitor.post(held.path, { ...fields, ...guestFields(late) })).status, status, statement)
      assert.deepEqual([await rowsOf(minaret(), held), await mailsTo(minaret(), late)], [[], []])
    }
    const [one, other] = [await holdEvent(minaret()), await holdEvent(minaret(), { guests: false })]
    const visitor = guestFrom(minaret())
    for (const path of [
      `/m/${one.masjid.slug}/events/${other.occurrence}`,
      `/m/${one.masjid.slug}/events/${randomUUID()}`,
      `/m/${one.masjid.slug}/events/%27%20or%20true`,
    ]) {
      assert.equal((await visitor.get(path)).status, 404)
      const fields = hiddenFieldsOf((await visitor.get(one.path)).text, one.path)
      assert.equal((await visitor.post(path, { ...fields, ...guestFields(newAddress()) })).status, 404)
    }
  })

  test('takes no place by answers that nobody confirms', async () => {
    const held = await holdEvent(minaret(), { capacity: 2 })
    for (let index = 0; index < 4; index += 1) await answerAsGuest(minaret(), held, guestFields(newAddress()))
    assert.deepEqual([await goingTo(minaret(), held), await rowsOf(minaret(), held)], [0, []])
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    assert.match((await confirm(minaret(), await linkTo(minaret(), email))).text, /You are coming/)
  })

  test('cannot add fields: no other status, no account, no larger party', async () => {
    const held = await holdEvent(minaret())
    const user = await makePerson(database())
    const email = newAddress()
    const more = {
      status: 'attended',
      user_id: user.id,
      member_id: user.id,
      guest_email: user.email,
      masjid_id: user.id,
    }
    await answerAsGuest(minaret(), held, { ...guestFields(email), ...more })
    await confirm(minaret(), await linkTo(minaret(), email))
    assert.deepEqual(await rowsOf(minaret(), held), [
      { status: 'going', party_size: 2, guest_name: 'Yusuf Guest', guest_email: email, user_id: null },
    ])
    for (const size of ['11', '-1', '1e9', '2.5', '99999999999999999999', 'NaN'])
      assert.equal((await answerAsGuest(minaret(), held, { ...guestFields(email), size })).status, 422, size)
  })

  test('writes nothing of their own into a mail, and no header', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    await answerAsGuest(minaret(), held, {
      ...guestFields(email),
      name: 'Your gift failed, pay again under evil dot test',
    })
    const [mail] = await mailsTo(minaret(), email)
    assert.doesNotMatch(`${mail?.subject} ${mail?.text}`, /gift|evil/)
    for (const fields of [
      { name: 'A\r\nBcc: everybody@example.org' },
      { email: `${email}\r\nBcc: everybody@example.org` },
      { email: `${email}, everybody@example.org` },
      { email: `<${email}>` },
      { email: `a b@example.org` },
    ])
      assert.equal((await answerAsGuest(minaret(), held, { ...guestFields(newAddress()), ...fields })).status, 422)
    assert.equal((await mailsTo(minaret(), email)).length, 1)
  })

  test('titles of events that mail programs would turn into links are left out of mails; others keep their direction', async () => {
    for (const [title, told] of [
      ['Pay at evil.test/now', /answered an event at/],
      ['درس التفسير', /answered \u2068درس التفسير\u2069 at/],
    ] as const) {
      const held = await holdEvent(minaret())
      await database().run(sql`
        update public.up_events set title = ${title} where id = (
          select event_id from public.up_event_occurrences where id = ${held.occurrence})`)
      const email = newAddress()
      await answerAsGuest(minaret(), held, guestFields(email))
      assert.match((await mailsTo(minaret(), email))[0]?.text ?? '', told)
    }
  })

  test('has at most 5 mails an hour sent to an address, however it is spelled and wherever they are', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    const spellings = [email, email.toUpperCase(), ` ${email}`, email, email, email, email.toUpperCase()]
    const answers = spellings.map(spelling => answerAsGuest(minaret(), held, guestFields(spelling)))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 200, 429, 429])
    assert.equal((await mailsTo(minaret(), email)).length, 5)
    const { text, headers } = await answerAsGuest(minaret(), held, guestFields(email))
    assert.match(text, /Too many|too many/)
    assert.ok(Number(headers.get('retry-after')) > 0)
  })

  test('has at most 20 mails an hour sent from a network, whoever gets them; others go on', async () => {
    const held = await holdEvent(minaret())
    const attackers = ['2001:db8:77:1::1', '2001:db8:77:1::2'].map(network => guestFrom(minaret(), network))
    const answers = Array.from({ length: 22 }, (_, index) =>
      attackers[index % 2]?.submit(held.path, held.path, guestFields(newAddress())),
    )
    const statuses = (await Promise.all(answers)).map(shown => shown?.status ?? 0)
    assert.deepEqual(statuses.sort(), [...Array.from({ length: 20 }, () => 200), 429, 429])
    assert.equal((await answerAsGuest(minaret(), held, guestFields(newAddress()))).status, 200)
  })

  test('sees nobody who answered on the page of an event', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    await confirm(minaret(), await linkTo(minaret(), email))
    const { text } = await guestFrom(minaret()).get(held.path)
    assert.doesNotMatch(text, /Yusuf|guest-/)
  })

  test('roles of the API can neither read what waits nor call what writes it', async () => {
    for (const role of ['minaret_reader', 'minaret_writer'])
      for (const statement of [
        sql`select * from public.guest_answers`,
        sql`select public.account_of_address('a@example.org')`,
        sql`select public.confirmed_address(gen_random_uuid())`,
        sql`select public.account_name(gen_random_uuid())`,
        sql`select public.ask_guest(gen_random_uuid(), 'x', 'a@example.org', 'going', 1, sha256('x'))`,
        sql`select public.confirm_guest(sha256('x'))`,
        sql`select public.write_answer(gen_random_uuid(), gen_random_uuid(), 'x', 'a@example.org', 'going', 1)`,
      ])
        await assert.rejects(
          database().transaction(async transaction => {
            await transaction.run(rawSql(`set local role ${role}`))
            await transaction.run(statement)
          }),
          { code: '42501' },
        )
  })
})

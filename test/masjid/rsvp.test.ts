// Answering an event on its page: people with an account as themselves, guests by a link that they get by mail.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { tidyUp } from '../../src/apps/housekeeping.ts'
import { sql } from '../../src/db/sql.ts'
import { makeStaff, visitAs } from '../staff/use-staff.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
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
} from './use-guests.ts'
import { linksOf, makeShownMasjid, textOf } from './use-masjid-page.ts'

const newAddress = (): string => `guest-${randomUUID()}@example.org`

describe('answering an event on its page', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  test('the masjid’s page leads to each date, in the language that was asked for', async () => {
    const masjid = await makeShownMasjid(minaret())
    const links = linksOf(await textOf(minaret(), `/m/${masjid.slug}?lang=ar`)).filter(link =>
      link.includes('/events/'),
    )
    assert.ok(links.length >= 2, links.join(' '))
    const arabic = await textOf(minaret(), links[0] ?? '')
    assert.match(arabic, /lang="ar"/)
    assert.match(arabic, /سجّل الدخول لترد/)
  })

  test('a guest answers, gets a link, and counts once it was confirmed', async () => {
    const held = await holdEvent(minaret(), { capacity: 5 })
    const email = newAddress()
    const sent = await answerAsGuest(minaret(), held, guestFields(email.toUpperCase()))
    assert.equal(sent.status, 200)
    assert.match(sent.text, /Check your mail/)
    assert.deepEqual([await rowsOf(minaret(), held), await goingTo(minaret(), held)], [[], 0])
    const link = await linkTo(minaret(), email)
    const page = await guestFrom(minaret()).get(link)
    assert.match(page.text, /Yusuf Guest/)
    assert.deepEqual(await rowsOf(minaret(), held), [])
    const done = await confirm(minaret(), link)
    assert.equal(done.status, 200)
    assert.match(done.text, /You are coming/)
    assert.deepEqual(await rowsOf(minaret(), held), [
      { status: 'going', party_size: 2, guest_name: 'Yusuf Guest', guest_email: email, user_id: null },
    ])
    assert.equal(await goingTo(minaret(), held), 2)
  })

  test('a guest changes the answer with the same address; the page says nothing of it, and the mail does', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    const first = await answerAsGuest(minaret(), held, guestFields(email))
    await confirm(minaret(), await linkTo(minaret(), email))
    const again = await answerAsGuest(minaret(), held, { ...guestFields(email), status: 'declined' })
    const words = (text: string) => text.replaceAll(/value="[^"]*"/g, '')
    assert.equal(words(again.text), words(first.text))
    const [one, two] = await mailsTo(minaret(), email)
    assert.doesNotMatch(one?.text ?? '', /already answered/)
    assert.match(two?.text ?? '', /already answered/)
    await confirm(minaret(), await linkTo(minaret(), email))
    assert.deepEqual(
      (await rowsOf(minaret(), held)).map(({ status }) => status),
      ['declined'],
    )
  })

  test('when it is full a guest waits, and whoever has a place cannot take more than there are', async () => {
    const held = await holdEvent(minaret(), { capacity: 2 })
    const [one, two] = [newAddress(), newAddress()]
    await answerAsGuest(minaret(), held, guestFields(one))
    await answerAsGuest(minaret(), held, guestFields(two))
    await confirm(minaret(), await linkTo(minaret(), one))
    assert.match((await confirm(minaret(), await linkTo(minaret(), two))).text, /waiting list/)
    assert.match((await guestFrom(minaret()).get(held.path)).text, /All places are taken/)
    await answerAsGuest(minaret(), held, { ...guestFields(one), size: '3' })
    const refused = await confirm(minaret(), await linkTo(minaret(), one))
    assert.equal(refused.status, 422)
    assert.match(refused.text, /not enough places left/)
    assert.deepEqual(
      (await rowsOf(minaret(), held)).map(({ status, party_size }) => [status, party_size]),
      [
        ['going', 2],
        ['waitlisted', 2],
      ],
    )
  })

  test('a guest whose address is an account’s answers as that account, which sees and changes the answer', async () => {
    const held = await holdEvent(minaret())
    const user = await makePerson(database())
    await answerAsGuest(minaret(), held, guestFields(user.email))
    await confirm(minaret(), await linkTo(minaret(), user.email))
    assert.deepEqual(
      (await rowsOf(minaret(), held)).map(row => [row.user_id, row.guest_email]),
      [[user.id, null]],
    )
    const person = await visitAs(minaret(), user)
    assert.match((await person.get(held.path)).text, /You are coming/)
    assert.equal((await person.submit(held.path, held.path, { status: 'maybe', size: '4' })).status, 303)
    assert.deepEqual(
      (await rowsOf(minaret(), held)).map(row => [row.status, row.party_size]),
      [['maybe', 4]],
    )
  })

  test('a guest who signs up later with the address finds the answer, and it stays one', async () => {
    const held = await holdEvent(minaret())
    const user = await makePerson(database())
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    await confirm(minaret(), await linkTo(minaret(), email))
    await database().run(sql`update minaret.users set email = ${email} where id = ${user.id}`)
    const person = await visitAs(minaret(), user)
    assert.match((await person.get(held.path)).text, /You are coming/)
    await person.submit(held.path, held.path, { status: 'going', size: '1' })
    assert.deepEqual(
      (await rowsOf(minaret(), held)).map(row => [row.user_id, row.guest_email, row.party_size]),
      [[user.id, null, 1]],
    )
  })

  test('without the masjid’s leave there is no form for guests, but a way to sign in that leads back', async () => {
    const held = await holdEvent(minaret(), { guests: false })
    const { text } = await guestFrom(minaret()).get(held.path)
    assert.doesNotMatch(text, /name="email"/)
    assert.ok(linksOf(text).includes(`${held.path}/sign-in`))
    const visitor = guestFrom(minaret())
    assert.equal((await visitor.get(`${held.path}/sign-in`)).location, '/sign-in')
    const person = await visitAs(minaret(), await makePerson(database()))
    assert.equal((await person.get(`${held.path}/sign-in`)).location, held.path)
    const saved = await person.submit(held.path, held.path, { status: 'going', size: '1' })
    assert.equal(saved.location, `${held.path}?done=saved`)
    assert.match((await person.get(`${held.path}?done=saved`)).text, /Your answer is recorded/)
  })

  test('what is missing or wrong is said beside the field, and what was typed stays', async () => {
    const held = await holdEvent(minaret())
    for (const [fields, words] of [
      [{ name: '' }, /Enter your name/],
      [{ name: 'A\u202eB' }, /Use letters, digits and spaces/],
      [{ name: 'x'.repeat(101) }, /at most 100/],
      [{ email: 'nobody' }, /not an email address/],
      [{ email: 'a@b..org' }, /not an email address/],
      [{ size: '11' }, /guests at most 10/],
      [{ size: '0' }, /guests at most 10/],
      [{ size: 'two' }, /guests at most 10/],
    ] as const) {
      const refused = await answerAsGuest(minaret(), held, { ...guestFields(newAddress()), ...fields })
      assert.equal(refused.status, 422)
      assert.match(refused.text, words)
      assert.match(refused.text, /name="email"/)
    }
    const person = await visitAs(minaret(), await makePerson(database()))
    const refused = await person.submit(held.path, held.path, { status: 'going', size: '51' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /1 to 50 people/)
    assert.deepEqual(await rowsOf(minaret(), held), [])
  })

  test('the staff sees guests with their address, people with an account by name, and lets guests answer or not', async () => {
    const held = await holdEvent(minaret(), { guests: false })
    const staff = await makeStaff(database(), { masjid: held.masjid, capabilities: ['events', 'announcements'] })
    const person = await visitAs(minaret(), staff)
    const details = `/staff/${held.masjid.slug}/details`
    const { text } = await person.get(details)
    const values = Object.fromEntries(
      [...text.matchAll(/<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g)]
        .filter(([tag]) => !tag.includes('checkbox') && !tag.includes('hidden'))
        .map(([, name = '', value = '']) => [name, value]),
    )
    const saved = await person.submit(details, details, { ...values, guest_rsvps: 'true' })
    assert.equal(saved.status, 303, saved.text)
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    await confirm(minaret(), await linkTo(minaret(), email))
    const stranger = await visitAs(minaret(), await makePerson(database(), 'Bilal Newcomer'))
    await stranger.submit(held.path, held.path, { status: 'going', size: '1' })
    const replies = await person.get(`/staff/${held.masjid.slug}/events/dates/${held.occurrence}/answers`)
    for (const words of [/Yusuf Guest/, new RegExp(email), /Bilal Newcomer/, /has an account/, /Coming \(3\)/])
      assert.match(replies.text, words)
  })

  test('links end after 30 minutes, and their answers are gone', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    const link = await linkTo(minaret(), email)
    const left = await database().first<{ minutes: number }>(sql`
      select extract(epoch from expires_at - now())::int / 60 as minutes from public.guest_answers where guest_email = ${email}`)
    assert.ok(left !== undefined && left.minutes >= 28 && left.minutes <= 30)
    await database().run(sql`update public.guest_answers set expires_at = now() where guest_email = ${email}`)
    assert.equal((await guestFrom(minaret()).get(link)).status, 410)
    assert.equal((await tidyUp(database())).guest_answers, 1)
    assert.deepEqual(await rowsOf(minaret(), held), [])
  })

  test('90 days after the event guests lose name and address, and the counts stay', async () => {
    const held = await holdEvent(minaret())
    const email = newAddress()
    await answerAsGuest(minaret(), held, guestFields(email))
    await confirm(minaret(), await linkTo(minaret(), email))
    const end = (days: number) =>
      database().run(sql`
        update public.up_event_occurrences set starts_at = now() - make_interval(days => ${days}) - interval '1 hour',
          ends_at = now() - make_interval(days => ${days}) where id = ${held.occurrence}`)
    await end(89)
    await tidyUp(database())
    assert.equal((await rowsOf(minaret(), held))[0]?.guest_email, email)
    await end(91)
    assert.equal((await tidyUp(database())).up_event_rsvps, 1)
    const [row] = await rowsOf(minaret(), held)
    assert.equal(row?.guest_name, '–')
    assert.match(row?.guest_email ?? '', /@guest\.invalid$/)
    assert.equal(await goingTo(minaret(), held), 2)
    assert.equal((await tidyUp(database())).up_event_rsvps, undefined)
  })
})

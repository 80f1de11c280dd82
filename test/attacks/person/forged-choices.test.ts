// Every select, radio button, checkbox and named button that people can reach, sent with values that it does not offer: never a fault of
// ours, and on staff pages never saved as something else; what was typed comes back.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addScreens, makeKeeper } from '../../screens/pair-screen.ts'
import { uploadTo } from '../../staff/times/upload-to.ts'
import { visitAs } from '../../staff/use-staff.ts'
import { type FilledForm, filledFields, filledForms } from '../../support/filled-form.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import type { Person, Shown } from '../../support/person.ts'
import { type Everything, makeEverything } from '../everything-there-is.ts'
import { createRouteOf, type RouteOf } from '../hostile-requests.ts'

/** The second is a name that every object of JavaScript knows. */
const FORGED = ['Nonsense', 'constructor']
const TYPED = 'As typed by hand'
const today = new Date().toISOString().slice(0, 10)

let minaret: TestMinaret
let everything: Everything
let ofForm: RouteOf

before(async () => {
  const routes: { method: string; url: string }[] = []
  minaret = await startTestMinaret({}, { onRoutes: (_, added) => routes.push(...added) })
  const urlsOf = (asked: string): string[] => routes.flatMap(({ method, url }) => (method === asked ? url : []))
  ofForm = createRouteOf(urlsOf('POST'))
  const ofPage = createRouteOf(urlsOf('GET').filter(url => !url.includes('*')))
  everything = await makeEverything(minaret, { ofPage, ofForm })
})
after(() => minaret.stop())

/** The page with the forms, as it is now. */
type Open = () => Promise<string>

const send = (
  person: Person,
  { action, method, takesFile }: FilledForm,
  fields: [string, string][],
): Promise<Shown> => {
  if (method === 'get') return person.get(`${action}?${new URLSearchParams(fields)}`)
  if (!takesFile) return person.post(action, fields)
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  body.set('sheet', new Blob([]), '')
  return person.send(action, body)
}

/** What a person would have to fill in, so that nothing but the choice is wrong. */
const filling: Readonly<Record<string, string>> = {
  ...{ title: TYPED, given_name: TYPED, name: TYPED, title_en: TYPED, amount: '5', email: 'typed@example.org' },
  ...{ description: TYPED, redirect_uris: 'https://app.example/back', reason: TYPED, body: TYPED, goal: '5' },
  ...{ fixed_time: '13:45', last_on: today, given_on: '2026-01-09', evidence: TYPED, url: 'https://app.example/hook' },
}

const typedInto = (fields: readonly [string, string][]): [string, string][] =>
  fields.map(([name, value]) => [name, value === '' ? (filling[name] ?? '') : value])

interface Sent {
  readonly what: string
  readonly form: FilledForm
  readonly choice: string
  readonly shown: Shown
}

const forge = async (person: Person, sources: readonly Open[]): Promise<Sent[]> => {
  const [sent, seen] = [[] as Sent[], new Set<string>()]
  for (const open of sources)
    for (const [index, { action, method, choices }] of filledForms(await open()).entries())
      for (const choice of choices) {
        const what = `${method} ${method === 'get' ? action : ofForm(action.replace(/\?.*/, ''))} ${choice}`
        if (seen.has(what)) continue
        seen.add(what)
        for (const value of FORGED) {
          // As it is now: what was sent before may have changed it, or ended it.
          const form = filledForms(await open())[index]
          if (form === undefined) continue
          const others = typedInto(form.fields.filter(([name]) => name !== choice))
          const shown = await send(person, form, [...others, [choice, value]])
          sent.push({ what: `${what}=${value}`, form, choice, shown })
        }
      }
  return sent
}

const assertNoFault = (sent: readonly Sent[]): void =>
  assert.deepEqual(
    sent.flatMap(({ what, shown }) => (shown.status >= 500 ? `${what}: ${shown.status}` : [])),
    [],
  )

/** Ticks and buttons: what is not offered counts as not ticked, or as the usual button. */
const ignored =
  /^post \/staff\/:slug\/(\S+) (days|capabilities|urgent|guest_rsvps|replaces_all|twice|next|answer|step)=/

describe('a choice that is not offered', () => {
  test('to developers, reviewers and admins', async () => {
    for (const { user, reached } of everything.actors.slice(0, -1)) {
      const person = await visitAs(minaret, user)
      const pages = [...reached.pages.values()]
      assertNoFault(
        await forge(
          person,
          pages.map(page => async () => (await person.get(page)).text),
        ),
      )
    }
  })

  test('to staff: refused with the field named, and what was typed comes back', async () => {
    const { masjid, actors } = everything
    const { user, reached } = actors.at(-1) ?? assert.fail()
    const person = await visitAs(minaret, user)
    const base = `/staff/${masjid.slug}`
    const open =
      (path: string): Open =>
      async () =>
        (await person.get(path)).text
    const keeper = await makeKeeper(minaret)
    await addScreens(minaret, { ...keeper, masjid, user }, 1)
    const screens = (await person.get(`${base}/screens`)).text
    const screen = /href="(\/staff\/[^"]+\/screens\/[0-9a-f-]{36})"/.exec(screens)?.[1] ?? assert.fail('no screen')
    const change = `${base}/week/change?prayer=dhuhr&session=1&from=${today}`
    const after = async (path: string, action: string, given: Readonly<Record<string, string>>): Promise<string> => {
      const fields = Object.fromEntries(typedInto(filledFields(await open(path)(), action)))
      return (await person.post(action, { ...fields, ...given })).text
    }
    const draft = await uploadTo(person, `${base}/times`, {
      pasted: `Day,Fajr\n${today},05:30\n`,
    })
    const sources = [
      ...[change, `${base}/week/month?year=1448&month=9`, `${base}/details`, screen, draft.location ?? ''].map(open),
      () => after(change, `${base}/week/preview`, { how: 'fixed', fixed_time: '13:45', lasts: 'on' }),
      () =>
        after(`${base}/people/import`, `${base}/people/import`, {
          ...{ list: 'Name,Phone\nMaryam,+1 202 555 0100\n', given_how: 'paper', step: 'preview' },
        }),
      ...[...reached.pages.values()].filter(page => page.startsWith('/staff')).map(open),
    ]
    const sent = await forge(person, sources)
    assertNoFault(sent)
    const chosen = sent.filter(({ what, form }) => form.method === 'post' && !ignored.test(what))
    const accepted = chosen.filter(({ shown }) => shown.status < 400 && shown.status !== 200)
    assert.deepEqual(
      accepted.map(({ what, shown }) => `${what}: ${shown.location}`),
      [],
    )
    for (const { what, form, choice, shown } of chosen.filter(one => one.shown.status === 422)) {
      assert.match(shown.text, new RegExp(`id="${choice}(-fault)?"`), what)
      if (form.fields.some(([name, value]) => value === '' && filling[name] === TYPED))
        assert.ok(shown.text.includes(TYPED), what)
    }
    assert.ok(sent.filter(({ shown }) => shown.status === 422).length >= 70, `${sent.length} were sent`)
  })
})

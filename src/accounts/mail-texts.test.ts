import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from './languages.ts'
import { mailKinds, writeMail } from './mail-texts.ts'

const values = {
  to: 'a@example.org',
  name: 'Amina',
  link: 'https://id.example.org/x?token=1',
  email: 'new@example.org',
}

test('every mail in every language has a greeting, by name if there is one, the link, and no unfilled placeholder', () => {
  for (const language of languages)
    for (const kind of mailKinds)
      for (const name of ['Amina', undefined]) {
        const { subject, text, to } = writeMail(language, kind, { ...values, name })
        assert.equal(to, values.to)
        assert.equal(text.includes('Amina'), name !== undefined, `${language} ${kind}`)
        assert.ok(text.includes(values.link), `${language} ${kind}`)
        assert.doesNotMatch(subject + text, /[{}]/, `${language} ${kind}`)
        assert.doesNotMatch(subject, /\n/)
      }
})

const hostile = [
  'your gift failed: pay again at https://evil.test',
  'evil.test/pay',
  'www.evil.test',
  'Call tel:123',
  'help@evil.test',
]

test('a name that mail programs would turn into a link is left out', () => {
  for (const name of hostile) {
    const { text } = writeMail('en', 'reset', { ...values, name })
    assert.ok(text.startsWith('Peace be upon you.\n'), name)
    assert.doesNotMatch(text, /evil|123/)
  }
})

test('a name is one line, whatever is in it; placeholders in it are not filled', () => {
  const { text } = writeMail('en', 'reset', { ...values, name: 'A\r\nB\u2028C\u202eD {link}' })
  assert.ok(text.startsWith('Peace be upon you, A B C D {link}.\n'))
})

test('ordinary names are used: with initials, titles, apostrophes, in other scripts', () => {
  for (const name of ['Dr. A. Rahman', 'St. John O’Neil', 'Umm-Kulthum', 'محمد بن عبد الله', 'J.R. Smith Jr.'])
    assert.ok(writeMail('en', 'reset', { ...values, name }).text.includes(name), name)
})

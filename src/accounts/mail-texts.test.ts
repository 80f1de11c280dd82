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

test('every mail in every language greets by name, holds the link, and leaves no place unfilled', () => {
  for (const language of languages)
    for (const kind of mailKinds) {
      const { subject, text, to } = writeMail(language, kind, values)
      assert.equal(to, values.to)
      assert.ok(text.includes('Amina') && text.includes(values.link), `${language} ${kind}`)
      assert.doesNotMatch(subject + text, /[{}]/, `${language} ${kind}`)
      assert.doesNotMatch(subject, /\n/)
    }
})

test('a name is one line without a link', () => {
  const { text } = writeMail('en', 'confirm', { ...values, name: 'A\r\nB https://evil.example {link}' })
  assert.ok(text.startsWith('Peace be upon you, A B evil.example {link}.'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionName } from './session-name.ts'

const cases = [
  { prayer: 'Isha', session: 1, label: null, name: 'Isha' },
  { prayer: 'Isha', session: 1, name: 'Isha' },
  { prayer: 'Jumu’ah', session: 2, label: null, name: 'Jumu’ah 2' },
  { prayer: 'Jumu’ah', session: 2, label: '', name: 'Jumu’ah 2' },
  { prayer: 'Isha', session: 1, label: 'After work', name: 'Isha · After work' },
  { prayer: 'Jumu’ah', session: 2, label: "Second jumu'ah", name: "Second jumu'ah" },
  { prayer: 'Jumu’ah', session: 1, label: 'JUMUAH (students)', name: 'JUMUAH (students)' },
  { prayer: 'الجمعة', session: 1, label: 'First Jumu’ah', name: 'الجمعة · First Jumu’ah' },
  { prayer: 'الجمعة', session: 1, label: 'الجمعة الأولى', name: 'الجمعة الأولى' },
]

for (const { prayer, name, ...session } of cases)
  test(`${prayer}, session ${session.session}, "${session.label}" is called "${name}"`, () => {
    assert.equal(sessionName(prayer, session), name)
  })

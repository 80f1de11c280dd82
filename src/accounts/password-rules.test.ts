import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonPasswords } from './common-passwords.ts'
import { checkPassword } from './password-rules.ts'

const owner = { email: 'amina.yusuf@masjid.example', name: 'Amina Yusuf' }

const refused: readonly (readonly [string, string])[] = [
  ['', 'password_missing'],
  ['lantern 9', 'password_short'],
  [`${'lantern over water '.repeat(11)}x`, 'password_long'],
  ['aaaaaaaaaaaa', 'password_pattern'],
  ['abababababab', 'password_pattern'],
  ['abcdefghijkl', 'password_pattern'],
  ['0987654321', 'password_pattern'],
  ['QWERTYUIOP', 'password_pattern'],
  ['ZyXwVuTsRqPo', 'password_pattern'],
  ['Password123', 'password_common'],
  ['Bismillah-786', 'password_common'],
  ['correct horse battery staple', 'password_common'],
  ['amina.yusuf@masjid.example', 'password_personal'],
  ['AminaYusuf1', 'password_personal'],
  ['amina-yusuf-99', 'password_personal'],
]

for (const [password, fault] of refused)
  test(`"${password.slice(0, 30)}" is refused: ${fault}`, () => assert.equal(checkPassword(password, owner), fault))

test('ten or two hundred characters, a sentence, other scripts and emoji are accepted', () => {
  for (const password of [
    'k7#mWq2xLp',
    'the kettle sings at dawn',
    'يا له من صباح جميل',
    '🕌🌙 quiet steps',
    'x7Kp'.concat('the river and the reeds and the wind. '.repeat(6)).slice(0, 200),
  ])
    assert.equal(checkPassword(password, owner), undefined, password)
})

test('a name inside a long sentence is allowed', () => {
  assert.equal(checkPassword('amina planted seven olive trees', owner), undefined)
})

test('the list has only passwords that are long enough to be checked', () => {
  for (const password of commonPasswords) assert.ok(password.length >= 10, password)
})

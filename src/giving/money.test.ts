import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoney, readAmount, typedAmount } from './money.ts'

const amounts: readonly [string, string, number | undefined][] = [
  ['50', 'USD', 5000],
  ['50.25', 'USD', 5025],
  ['50,25', 'EUR', 5025],
  ['1,234.50', 'USD', 123450],
  ['1.234,50', 'EUR', 123450],
  ['1 234.50', 'USD', 123450],
  ['٥٠٫٢٥', 'USD', 5025],
  ['۱۲۰', 'USD', 12000],
  ['500', 'JPY', 500],
  ['500.5', 'JPY', undefined],
  ['1.250', 'KWD', 1250],
  ['12.345', 'KWD', 12345],
  // Thousands or decimals? Nobody can know.
  ['1,234', 'USD', undefined],
  ['1.234', 'EUR', undefined],
  ['50.5', 'USD', undefined],
  ['0', 'USD', undefined],
  ['-5', 'USD', undefined],
  ['1e5', 'USD', undefined],
  ['', 'USD', undefined],
  ['9999999999999', 'USD', undefined],
]

for (const [text, currency, minor] of amounts)
  test(`"${text}" in ${currency} is ${minor ?? 'refused'}`, () => assert.equal(readAmount(text, currency), minor))

test('what is shown to be typed again reads the same', () => {
  for (const [minor, currency] of [
    [5025, 'USD'],
    [500, 'JPY'],
    [12345, 'KWD'],
  ] as const)
    assert.equal(readAmount(typedAmount(minor, currency), currency), minor)
})

test('amounts are shown with the digits of their currency', () => {
  assert.equal(formatMoney('en', 123450, 'USD'), '$1,234.50')
  assert.equal(formatMoney('en', 500, 'JPY'), '¥500')
})

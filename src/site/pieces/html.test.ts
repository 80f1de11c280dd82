import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributes, html, nothing } from './html.ts'

test('text is escaped, our own HTML is not escaped twice', () => {
  const name = '<script>alert("1")</script>'
  assert.equal(html`<b>${name}</b>`.text, '<b>&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;</b>')
  assert.equal(html`<p>${html`<b>${'a & b'}</b>`}</p>`.text, '<p><b>a &#38; b</b></p>')
})

test('an exclamation mark before a value does not disable escaping', () => {
  assert.equal(html`Welcome!${'<i>'}`.text, 'Welcome!&#60;i&#62;')
})

test('lists are joined and absent parts leave nothing', () => {
  assert.equal(html`${['<', html`<br>`, undefined, false, 3]}${nothing}`.text, '&#60;<br>3')
})

test('an object that only looks like HTML is refused', () => {
  const forged = JSON.parse('{"kind":"html","text":"<script>"}') as unknown as string
  assert.throws(() => html`${forged}`)
})

test('attributes are escaped, and left out when absent', () => {
  assert.equal(
    attributes({ value: '"><b', required: true, disabled: false, id: undefined }).text,
    ' value="&#34;&#62;&#60;b" required',
  )
})

// docs/on-call.md says for each alert, and no other, its cause, where to look and how to mend it; the alerts lead there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(`${root}docs/on-call.md`, 'utf8')

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly annotations: Readonly<Record<string, string>> }[]
  }[]
}

const { groups } = parse(readFileSync(`${root}deploy/observability/alerts.yaml`, 'utf8')) as Rules
const rules = groups.flatMap(group => group.rules)

/** `### Name` and what follows. */
const [, ...sections] = (/^## Alerts$([\s\S]*?)^## /m.exec(page)?.[1] ?? '').split(/^### /m)

test('every alert is in the page, in the order of the rules, and no other', () => {
  assert.ok(rules.length >= 15)
  assert.deepEqual(
    sections.map(section => section.split('\n')[0]),
    rules.map(({ alert }) => alert),
  )
})

test('each has a cause, where to look, and how to mend it', () => {
  for (const section of sections)
    assert.deepEqual(
      [...section.matchAll(/^- \*\*(\w+)\*\*: \S/gm)].map(([, part]) => part),
      ['Cause', 'Look', 'Mend'],
      section,
    )
})

test('each alert leads to its part of the page', () => {
  for (const { alert, annotations } of rules)
    assert.equal(annotations.runbook, `docs/on-call.md#${alert.toLowerCase()}`)
})

// The dashboard and the alert rules → the expressions in them, and the metrics that each names.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export interface NamedExpression {
  readonly where: string
  readonly expression: string
}

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../deploy/observability/${name}`, import.meta.url)), 'utf8')

export const readPanels = (): NamedExpression[] =>
  (JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }).panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: title, expression: expr })),
  )

export const readRules = (): readonly Rule[] => {
  const { groups } = parse(read('alerts.yaml'), { strict: true }) as { groups: { name: string; rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

const words = new Set(
  'sum min max topk rate increase resets histogram_quantile time by and or unless on ignoring without offset'.split(
    ' ',
  ),
)

/** Whatever is neither a function nor a keyword, outside of selectors, labels to group by, ranges and numbers. */
export const metricsIn = (expression: string): string[] => {
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*/g)].map(([name]) => name).filter(name => !words.has(name))
}

export interface Selector {
  readonly metric: string
  readonly label: string
  /** If it has to be equal. */
  readonly value: string | undefined
}

export const selectorsIn = (expression: string): Selector[] =>
  [...expression.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].flatMap(([, metric = '', matchers = '']) =>
    [...matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', operator, value]) => ({
      metric,
      label,
      value: operator === '=' ? value : undefined,
    })),
  )

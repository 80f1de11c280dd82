// The text of a scrape → its samples, read as strictly as Prometheus does.
import assert from 'node:assert/strict'
import type { TestMinaret } from '../support/minaret.ts'

/** Of services whose files run as a group. Nobody listens at that mail server, which is an outcome too. */
export const watched = { METRICS_PORT: '0', READ_CONNECTIONS: '2', SMTP_URL: 'smtp://127.0.0.1:1' }

export interface ScrapedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[0-9.e+-]+|[+-]Inf|NaN)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy

const readLabels = (text: string): Record<string, string> => {
  const labels: Record<string, string> = {}
  let end = 0
  for (const [whole, name = '', value = ''] of text.matchAll(LABEL)) {
    assert.ok(!Object.hasOwn(labels, name), `${name} twice in ${text}`)
    labels[name] = value
    end += whole.length
  }
  assert.equal(end, text.length, `labels: ${text}`)
  return labels
}

const readSample = (line: string): ScrapedSample => {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
  assert.ok(name !== undefined && value !== undefined, `not a sample: ${line}`)
  return { name, labels: readLabels(labels), value: Number(value.replace('Inf', 'Infinity')) }
}

export const readScrape = (text: string): ScrapedSample[] => {
  const lines = text.split('\n').filter(line => line !== '' && !/^# (HELP|TYPE) /.test(line))
  const samples = lines.map(readSample)
  const series = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).sort()]))
  assert.equal(new Set(series).size, series.length, 'a series is there twice')
  return samples
}

export const scrapeUrl = async (url: string): Promise<ScrapedSample[]> => {
  const response = await fetch(url)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  return readScrape(await response.text())
}

export const scrape = ({ service: { metricsUrl } }: TestMinaret): Promise<ScrapedSample[]> => {
  assert.ok(metricsUrl)
  return scrapeUrl(metricsUrl)
}

/** The sum of all series of that name that have these labels. */
export const total = (
  samples: readonly ScrapedSample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number =>
  samples
    .filter(one => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)

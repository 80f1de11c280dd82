// A metric with its values as plain data: what one process reports, what processes add up, and what a scrape shows.

export type Labels = Readonly<Record<string, string | number>>

export interface Sample {
  readonly labels: Labels
  readonly value: number
  /** Of a histogram's series: its name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string
}

export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** How the values of several processes become one. */
  readonly aggregator: 'sum' | 'min' | 'max' | 'first'
  readonly values: readonly Sample[]
}

type Described = Pick<Family, 'name' | 'help'>

export const counterFamily = (described: Described, values: readonly Sample[]): Family => ({
  ...described,
  type: 'counter',
  aggregator: 'sum',
  values,
})

export const gaugeFamily = (
  described: Described & Partial<Pick<Family, 'aggregator'>>,
  values: readonly Sample[],
): Family => ({ aggregator: 'sum', ...described, type: 'gauge', values })

export const histogramFamily = (described: Described, values: readonly Sample[]): Family => ({
  ...described,
  type: 'histogram',
  aggregator: 'sum',
  values,
})

/** What is beyond the maximum number of series is counted together, under the label that OpenTelemetry uses for this. */
export const overflow: Labels = { otel_metric_overflow: 'true' }

// Reports of one or more processes → the text that Prometheus reads. The library is loaded at the first use: most
// installations have no metrics.
import type { Family } from './family.ts'

/** Version 0.0.4 of the text format. */
export const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Memory, CPU, event loop and garbage collection of this process, under the names that all Node services use. */
export const processFamilies = async (): Promise<readonly Family[]> => {
  const { default: library } = await import('prom-client')
  const { collectDefaultMetrics, register } = library
  if (register.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics()
  const families = (await register.getMetricsAsJSON()) as unknown as readonly Family[]
  // Without a value since the last scrape, some are not a number, which would spoil the average over processes.
  return families.map(family => ({ ...family, values: family.values.filter(({ value }) => !Number.isNaN(value)) }))
}

const sum = async (reports: readonly (readonly Family[])[]) => {
  const { default: library } = await import('prom-client')
  return library.AggregatorRegistry.aggregate(reports as unknown as object[])
}

/** Values with the same name and labels are added up, or whatever their aggregator says. */
export const sumReports = async (reports: readonly (readonly Family[])[]): Promise<readonly Family[]> =>
  (await (await sum(reports)).getMetricsAsJSON()) as unknown as readonly Family[]

export const writeText = async (reports: readonly (readonly Family[])[]): Promise<string> =>
  (await sum(reports)).metrics()

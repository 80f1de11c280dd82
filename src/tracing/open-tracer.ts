// What is configured → a tracer, or none.
import type { Tracer, TracingOptions } from './tracer.ts'

/** Undefined if there are no traces: then nothing is loaded. */
export const openTracer = async (options: TracingOptions | undefined): Promise<Tracer | undefined> =>
  options === undefined ? undefined : (await import('./open-telemetry.ts')).openTelemetry(options)

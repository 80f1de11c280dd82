// A way to the outside world → the same, with a trace of each request.
import type { Tracer } from '../tracing/tracer.ts'
import { type Dial, publicDial } from './way.ts'

export const tracedDial = (dial: Dial | undefined, tracer: Tracer | undefined): Dial | undefined =>
  tracer === undefined ? dial : { ...(dial ?? publicDial), trace: tracer.outbound }

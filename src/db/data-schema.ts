// The schemas that hold the data tables: the real ones, and the sandbox's invented copy.

export type DataSchema = 'public' | 'sandbox'

export const dataSchemas: readonly DataSchema[] = ['public', 'sandbox']

// The engines whose data webhooks are about: the real data and the sandbox.
import type { KeyEnvironment } from '../access/api-key-format.ts'
import type { Engine } from '../graphql/create-graphql.ts'

export type Engines = Readonly<Record<KeyEnvironment, Engine>>

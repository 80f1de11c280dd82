// The view of /v1/relay, and an engine that answers in it: made of the engine of /v1/graphql, with structures of its own.
import type { Model } from '../../catalog/model.ts'
import type { StructureWatch } from '../../catalog/watch-structure.ts'
import type { Engine } from '../create-graphql.ts'
import { connectionField } from '../plan/connection-names.ts'
import type { Root } from '../plan/plan-operation.ts'
import { createStructure, type Structure } from '../structure.ts'
import type { View } from '../view.ts'
import { buildRelaySchema } from './build-relay-schema.ts'

const relayRoots = (model: Model): ReadonlyMap<string, Root> =>
  new Map<string, Root>([
    ...[...model.tables.values()]
      .filter(({ primaryKey }) => primaryKey !== undefined)
      .map(({ name }) => [connectionField(name), { kind: 'connection', table: name }] as const),
    ['node', { kind: 'node' }],
  ])

/** Relay's view has no subscriptions. */
const relayView: View = {
  relay: true,
  buildSchema: buildRelaySchema,
  rootsOf: relayRoots,
  liveRootsOf: () => new Map(),
}

/** Made when first asked for: a service that nobody asks for Relay pays nothing for it. */
const relayStructures = (structures: StructureWatch<Structure>): StructureWatch<Structure> => {
  const made = new WeakMap<Structure, Structure>()
  return {
    ...structures,
    current: () => {
      const plain = structures.current()
      const known = made.get(plain)
      if (known !== undefined) return known
      const relay = { ...createStructure(plain.model, plain.version, { view: relayView }), readOn: plain.readOn }
      made.set(plain, relay)
      return relay
    },
  }
}

export const relayEngine = (engine: Engine): Engine => ({ ...engine, structures: relayStructures(engine.structures) })

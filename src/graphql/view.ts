// How the tables of a model are shown: as lists at /v1/graphql, as connections at /v1/relay. All else is the same for both.
import type { GraphQLSchema } from 'graphql'
import type { Model } from '../catalog/model.ts'
import { liveRootsOf, type Root, rootsOf } from './plan/plan-operation.ts'
import { buildGraphqlSchema } from './schema/build-schema.ts'

export interface View {
  /** Rows have global ids and connections. */
  readonly relay: boolean
  readonly buildSchema: (model: Model) => GraphQLSchema
  readonly rootsOf: (model: Model) => ReadonlyMap<string, Root>
  /** Of subscriptions. */
  readonly liveRootsOf: (model: Model) => ReadonlyMap<string, Root>
}

export const tablesView: View = { relay: false, buildSchema: buildGraphqlSchema, rootsOf, liveRootsOf }

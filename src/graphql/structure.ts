// A model → everything needed to serve one version of the structure: schema, root fields, and caches that end with it.
import { assertValidSchema, type GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Model } from '../catalog/model.ts'
import type { OperationFields } from '../metrics/operation-meter.ts'
import type { Calculations } from './calculated/calculation.ts'
import type { CompiledStatement } from './compile/compile-plan.ts'
import type { PreparedDocument } from './document.ts'
import type { WatchedTables } from './live/watched-tables.ts'
import type { CollectedField } from './plan/collected-field.ts'
import type { Plan } from './plan/plan.ts'
import type { Root } from './plan/plan-operation.ts'
import { createRefusedDocuments, type RefusedDocuments } from './refused-documents.ts'
import { createSecondSightCache, type SecondSightCache } from './second-sight-cache.ts'
import type { LoggedTables } from './sources/logged-tables.ts'
import { tablesView, type View } from './view.ts'
import type { CompiledMutation } from './write/compile-mutation.ts'
import { type MutationRoot, mutationRootsOf } from './write/mutation-roots.ts'

/** A plan with its statement, and everything else that would otherwise be computed for each request. */
export interface CachedPlan {
  readonly plan: Plan
  readonly statement: CompiledStatement
  /** A table with personal data is read. */
  readonly personal: boolean
  /** A table is read whose rows depend on the user. */
  readonly secured: boolean
  /** What it is counted as. */
  readonly counted: OperationFields
  /** The introspection fields. */
  readonly aboutSchema: readonly CollectedField[]
  /** The tables whose changes may change the answer; undefined if it may change without a trace in the change log. */
  readonly sources: LoggedTables | undefined
  /** Undefined for a query. */
  readonly mutation: CachedMutation | undefined
  /** Of a subscription: what it is watched by; undefined for a query. */
  readonly watched: WatchedTables | undefined
  uses: number
  /** The last set of scopes that was found sufficient. */
  allowed: string | undefined
}

/** What a mutation runs instead of the statement of a query. */
export interface CachedMutation extends CompiledMutation {
  /** The operation itself asks for a dry run. */
  readonly dryRun: boolean
}

export interface Structure {
  readonly version: string
  readonly readOn: Date
  readonly model: Model
  readonly view: View
  readonly schema: GraphQLSchema
  readonly roots: ReadonlyMap<string, Root>
  readonly liveRoots: ReadonlyMap<string, Root>
  readonly mutationRoots: ReadonlyMap<string, MutationRoot>
  readonly calculations: Calculations
  readonly documents: SecondSightCache<PreparedDocument>
  readonly refused: RefusedDocuments
  /** By document, operation, shape of the variables, and whether it is for a user. */
  readonly plans: SecondSightCache<CachedPlan>
  /** The schema as each set of scopes sees it. */
  readonly views: LRUCache<string, GraphQLSchema>
  /** Slices of the schema, as JSON, by scopes and query. */
  readonly introspections: LRUCache<string, string>
}

const MEBIBYTE = 1024 * 1024

/** The tree of a document takes about a hundred times the memory of its text. */
const documentBytes = (_document: PreparedDocument, text: string): number => 4096 + text.length * 120
const planBytes = ({ statement }: CachedPlan, key: string): number => 8192 + statement.text.length * 6 + key.length * 2

const sliceBytes = (json: string, key: string): number => json.length + key.length + 400

/** @throws if the schema is invalid: the previous structure then stays in force. */
const validSchema = (model: Model, view: View): GraphQLSchema => {
  const schema = view.buildSchema(model)
  assertValidSchema(schema)
  return schema
}

interface StructureOptions {
  readonly view?: View
  readonly calculations?: Calculations | undefined
}

export const createStructure = (
  model: Model,
  version: string,
  { view = tablesView, calculations = new Map() }: StructureOptions = {},
): Structure => ({
  version,
  readOn: new Date(),
  model,
  view,
  schema: validSchema(model, view),
  roots: view.rootsOf(model),
  liveRoots: view.liveRootsOf(model),
  mutationRoots: mutationRootsOf(model),
  calculations,
  documents: createSecondSightCache({ maxBytes: 24 * MEBIBYTE, bytesOf: documentBytes }),
  refused: createRefusedDocuments(),
  plans: createSecondSightCache({ maxBytes: 16 * MEBIBYTE, bytesOf: planBytes }),
  views: new LRUCache({ max: 16 }),
  introspections: new LRUCache({
    maxSize: 8 * MEBIBYTE,
    sizeCalculation: sliceBytes,
  }),
})

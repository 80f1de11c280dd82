// What a credential may read of the schema → the schema as a file: SDL, or the response to an introspection query.
import { introspectionFromSchema, printSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Grant } from '../access/grant.ts'
import { schemaFor } from './introspection/schema-for.ts'
import type { Structure } from './structure.ts'

export type SchemaFormat = 'sdl' | 'introspection'

export type ShowSchema = (structure: Structure, grant: Grant, format: SchemaFormat) => string

/** Printing takes tens of milliseconds, so each version is printed once per set of scopes. */
const KEPT = 32

const print: Readonly<Record<SchemaFormat, (structure: Structure, grant: Grant) => string>> = {
  sdl: (structure, grant) => `${printSchema(schemaFor(structure, grant))}\n`,
  introspection: (structure, grant) => JSON.stringify({ data: introspectionFromSchema(schemaFor(structure, grant)) }),
}

export const createShowSchema = (): ShowSchema => {
  const printed = new LRUCache<string, string>({ max: KEPT })
  return (structure, grant, format) => {
    const key = `${format} ${structure.version} ${grant.scopeKey}`
    const known = printed.get(key)
    if (known !== undefined) return known
    const text = print[format](structure, grant)
    printed.set(key, text)
    return text
  }
}

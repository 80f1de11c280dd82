// The few PostGraphile types that `servers/postgraphile.ts` uses, so that `bench/` can be type-checked without its
// packages. Ambient declarations win over installed ones, so the check is the same before and after `npm run bench`.

declare namespace GraphileConfig {
  interface Preset {
    extends?: readonly Preset[]
    plugins?: readonly unknown[]
    pgServices?: readonly unknown[]
    grafserv?: { graphqlPath?: string; graphiql?: boolean; websockets?: boolean; watch?: boolean }
    grafast?: { explain?: boolean }
  }
}

declare module 'postgraphile' {
  interface Serv {
    addTo(server: import('node:http').Server): Promise<void>
    ready(): Promise<void>
  }
  export const postgraphile: (preset: GraphileConfig.Preset) => { createServ(adaptor: unknown): Serv }
}

declare module 'postgraphile/adaptors/pg' {
  export const makePgService: (options: {
    poolConfig: import('pg').PoolConfig
    schemas: readonly string[]
    pgSettings?: () => Record<string, string>
  }) => unknown
}

declare module 'postgraphile/grafserv/node' {
  export const grafserv: unknown
}

declare module 'postgraphile/presets/amber' {
  export const PostGraphileAmberPreset: GraphileConfig.Preset
}

declare module 'postgraphile/utils' {
  export const pgSmartTags: (rule: {
    kind: 'class'
    match: (entity: { relname: string }) => boolean
    tags: Readonly<Record<string, string>>
  }) => unknown
}

declare module 'postgraphile-plugin-connection-filter' {
  export const PostGraphileConnectionFilterPreset: GraphileConfig.Preset
}

// Which folder of migrations is run in which schema, and the table of those that have run.

export interface MigrationTarget {
  readonly folder: 'identity' | 'data'
  readonly schema: 'minaret' | 'public' | 'sandbox'
  readonly table: string
}

/** The data tables exist twice: the live ones in `public`, the invented ones in `sandbox`. */
export const migrationTargets: readonly MigrationTarget[] = [
  { folder: 'identity', schema: 'minaret', table: 'migrations_identity' },
  { folder: 'data', schema: 'public', table: 'migrations_public' },
  { folder: 'data', schema: 'sandbox', table: 'migrations_sandbox' },
]

// A role in the team of an app → what it may do.

export const teamRoles = ['owner', 'developer', 'viewer'] as const
export type TeamRole = (typeof teamRoles)[number]

/** `read`: see everything but secrets. `develop`: settings, credentials, webhooks. `own`: stop, delete, the team itself. */
export type AppRight = 'read' | 'develop' | 'own'

const rights: Readonly<Record<TeamRole, readonly AppRight[]>> = {
  owner: ['read', 'develop', 'own'],
  developer: ['read', 'develop'],
  viewer: ['read'],
}

export const mayDo = (role: TeamRole | undefined, right: AppRight): boolean =>
  role !== undefined && rights[role].includes(right)

export const isTeamRole = (text: string): text is TeamRole => (teamRoles as readonly string[]).includes(text)

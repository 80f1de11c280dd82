// What people can be allowed to do at a masjid.

export const capabilityNames = [
  'times',
  'events',
  'announcements',
  'people',
  'giving',
  'screens',
  'capabilities',
] as const

export type Capability = (typeof capabilityNames)[number]

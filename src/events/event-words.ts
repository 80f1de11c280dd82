// The words that the columns of events take.

export const categories = [
  'lecture',
  'class',
  'halaqah',
  'quran',
  'youth',
  'family',
  'fundraiser',
  'iftar',
  'community_service',
  'interfaith',
  'sports',
  'nikah',
  'janazah',
  'meeting',
  'other',
] as const
export const audiences = ['everyone', 'men', 'women', 'youth', 'children', 'families', 'converts', 'seniors'] as const

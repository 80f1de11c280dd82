// What a masjid can offer.

export const facilities = [
  'women_space',
  'wudu',
  'parking',
  'wheelchair',
  'janazah',
  'children_classes',
  'full_time_school',
  'library',
  'kitchen',
  'multipurpose_hall',
  'nursing_room',
  'food_bank',
  'counselling',
  'hearing_loop',
  'ev_charging',
] as const

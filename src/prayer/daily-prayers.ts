// The five prayers of every day, in their order.

export const dailyPrayers = ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const

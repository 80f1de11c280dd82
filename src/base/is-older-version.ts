// Two versions as text → whether the first is the older one: `2026b` before `2026c`, `r9` before `r10`.
export const isOlderVersion = (stored: string, current: string): boolean =>
  stored.localeCompare(current, 'en', { numeric: true }) < 0

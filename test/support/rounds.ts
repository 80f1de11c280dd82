// How often something is repeated: a few times in the suite, many times in `npm run test:long`.

export const rounds = (few: number, many: number): number => (process.env.MINARET_LONG === undefined ? few : many)

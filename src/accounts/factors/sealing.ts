// What the keys of second factors are sealed for.

/** The purpose that the sealing secret is derived for. */
export const SECOND_FACTORS_PURPOSE = 'second factors'

export const totpName = (userId: string): string => `totp ${userId}`

/** Of a key that digests of earlier recovery codes were made with. */
export const recoveryKeyName = (id: string): string => `recovery key ${id}`

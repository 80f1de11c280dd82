// Text → whether it is a TCP port that somebody can listen on.

export const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535

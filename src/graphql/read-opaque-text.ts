// A text that the database made (compile/opaque-text.ts) and a client handed back → what it holds, or undefined.
export const readOpaqueText = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

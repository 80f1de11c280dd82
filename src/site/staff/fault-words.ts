// What is wrong with a form, by field → in words.

export const faultWords = <Fault extends string>(
  texts: Readonly<Record<Fault, string>>,
  faults: Readonly<Record<string, Fault>> = {},
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, texts[fault]]))

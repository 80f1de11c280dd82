// What was chosen, and what the fields offer → the fields in which something else was sent. What is stored stays valid: a newer version
// of the service may have added it.

export const notOffered = <Name extends string>(
  chosen: Readonly<Record<NoInfer<Name>, string>>,
  offered: Readonly<Record<Name, readonly string[]>>,
  stored: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, 'notOffered'>> =>
  Object.fromEntries(
    (Object.entries(offered) as [Name, readonly string[]][])
      .filter(([name, values]) => !values.includes(chosen[name]) && chosen[name] !== stored[name])
      .map(([name]) => [name, 'notOffered']),
  )

// A Dockerfile → its instructions, and the stages they belong to.

export interface Instruction {
  readonly name: string
  readonly text: string
}

export const instructions = (file: string): Instruction[] =>
  file
    .split('\n')
    .filter(line => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [, name = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
      return { name, text }
    })

export const stages = (all: readonly Instruction[]): Instruction[][] => {
  const found: Instruction[][] = []
  for (const instruction of all) {
    if (instruction.name === 'FROM') found.push([])
    found.at(-1)?.push(instruction)
  }
  return found
}

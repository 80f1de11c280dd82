// A mistake that an assistant can correct, or has to tell the person about: its words are the tool's answer.
export class ToolRefusal extends Error {}

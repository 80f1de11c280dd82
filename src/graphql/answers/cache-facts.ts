// What is told about an answer's age, in `extensions`, to those who ask for explanations.

export interface CacheFacts {
  readonly hit: boolean
  /** Whether answers to this operation can be kept at all. */
  readonly kept?: boolean
  /** Since it was read. */
  readonly age_ms?: number
  /** The number of the check that found it true. */
  readonly check?: number
}

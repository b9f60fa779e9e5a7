/** A sentence of a page that states figures of a benchmark. */
export interface Claim {
  /** A path in the repository. */
  readonly page: string;
  /**
   * The words of the page, with `{}` for each figure: a number, or a range such as "1.2 to 1.4" or "1.2 到 1.4". Any white space fits a
   * space.
   */
  readonly words: string;
  /** What was measured, for each `{}`: the page states the least and the most, rounded to as many digits as the page has. */
  readonly measured: readonly (readonly number[])[];
}

/** Words with numbers that do not come from a benchmark, such as settings. */
export interface OtherNumbers {
  readonly page: string;
  readonly words: string;
}

/** One entry of the catalogue. */
export interface CatalogueEntry {
  /** `error`: nothing is written. `finding`: the output is complete, but a person must decide something. */
  readonly severity: "error" | "finding";
  readonly message: string;
  /** The remedy. */
  readonly hint: string;
}

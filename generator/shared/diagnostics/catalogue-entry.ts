/** One entry of the catalogue. */
export interface CatalogueEntry {
  /** `error`: nothing is written. `finding`: output is complete, but a person has to decide something. */
  readonly severity: "error" | "finding";
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

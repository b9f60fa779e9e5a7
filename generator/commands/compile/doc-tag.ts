/** A tag of a doc comment. */
export interface DocTag {
  readonly name: string;
  readonly text: string;
}

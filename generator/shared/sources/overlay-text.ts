/** The text of an overlay file, and its name in diagnostics. */
export interface OverlayText {
  readonly revision: string;
  readonly file: string;
  readonly text: string;
}

/** An overlay file as it was found: its text, and the name that diagnostics give it. */
export interface OverlayText {
  readonly revision: string;
  readonly file: string;
  readonly text: string;
}

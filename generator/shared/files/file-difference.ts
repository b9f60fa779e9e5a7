/** One file that differs from its expected state; its texts have LF line ends. */
export interface FileDifference {
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
  /** The text on disk. */
  readonly before?: string;
  /** The expected text. Also absent for a changed file that this run keeps and does not generate. */
  readonly after?: string;
}

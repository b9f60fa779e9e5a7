/** One file that is not as it should be; texts have LF line ends. */
export interface FileDifference {
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
  /** What is on disk. */
  readonly before?: string;
  /** What belongs there. Absent too for a changed file that this run keeps and has no content for. */
  readonly after?: string;
}

import type { FileRewriter } from "../file-rewriter.js";

/** Rewrites one feature of the official SDK. Rules run again until none changes a file, so the result must not match once more. */
export interface Rule {
  readonly id: string;
  /** The rewrite in one sentence. */
  readonly summary: string;
  readonly run: (rewriter: FileRewriter) => void;
}

import type { DiffFinding } from "../diff/finding.js";
import type { Side } from "../../shared/model/protocol.js";

/** The explanation of a type or method. Plain JSON data. */
export interface NameExplanation {
  /** Version of this data format. */
  readonly format: 1;
  readonly name: string;
  readonly kind: "type" | "method";
  /** The revision, or the id of the extension, that all but `revisions` and `changes` is about. */
  readonly revision: string;
  readonly file?: string;
  readonly line?: number;
  /** The section of the specification. */
  readonly link?: string;
  readonly text?: string;
  readonly deprecated?: string;
  /** The type as TypeScript declares it, with inherited members in place; of a method, that of the message. */
  readonly declaration: string;
  /** Every revision that comes with the package, oldest first, then the extensions that have it, and the one that was passed. */
  readonly revisions: readonly RevisionPresence[];
  /** What became of it from one revision to the next; of a method, also of its params and results. */
  readonly changes: readonly RevisionChange[];
  /** One entry per side that sends the method; for a type, every message that carries it. */
  readonly messages: readonly MessageUse[];
  readonly sentBy: readonly Side[];
  /** The names of both roles, where an extension has roles of its own. */
  readonly roles?: Readonly<Record<Side, string>>;
  readonly receivedBy: readonly Side[];
  /** Places that name the type. */
  readonly referredToBy: readonly string[];
  /** Differences in the published schema.json, as listed in `schema/corrections.json`. */
  readonly corrections: readonly string[];
}

export interface RevisionPresence {
  readonly revision: string;
  readonly present: boolean;
}

export interface RevisionChange {
  readonly from: string;
  readonly to: string;
  readonly findings: readonly DiffFinding[];
}

export interface MessageUse {
  readonly method: string;
  readonly kind: "request" | "notification" | "input request";
  readonly sender: Side;
  /** What of the message the type is part of; a method is the whole of it. */
  readonly part: "message" | "params" | "result";
  readonly type: string;
  readonly params?: string;
  readonly result?: string;
  readonly alternatives: readonly string[];
  readonly capability: string | null;
  /** Further capabilities, and for what. */
  readonly conditions: readonly string[];
}

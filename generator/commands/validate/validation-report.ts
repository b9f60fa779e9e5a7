import type { ValidationRuleId, ValidationSeverity } from "./rules.js";

/** Something about one message of a conversation. Texts hold nothing that a terminal would obey. */
export interface ValidationFinding {
  readonly rule: ValidationRuleId;
  readonly severity: ValidationSeverity;
  /** Counted from 1. */
  readonly line: number;
  /** Where in the message: `$.params.arguments`; in a batch `$[1].params`. */
  readonly path: string;
  readonly message: string;
  /** The section of the specification. */
  readonly link?: string;
}

export interface ValidationReport {
  /** The revision it was held against; absent when there was no message to report it. */
  readonly revision?: string;
  /** Messages that could be read, those in batches one by one. */
  readonly messages: number;
  /** In the order of the lines; no more than 1,000, which `counts` do not stop at. */
  readonly findings: readonly ValidationFinding[];
  readonly counts: Readonly<Record<ValidationSeverity, number>>;
}

import type { ValidationRuleId, ValidationSeverity } from "./rules.js";

/** A finding about one message of a conversation. Texts contain no control characters. */
export interface ValidationFinding {
  readonly rule: ValidationRuleId;
  readonly severity: ValidationSeverity;
  /** Counted from 1. */
  readonly line: number;
  /** The place in the message: `$.params.arguments`; in a batch `$[1].params`. */
  readonly path: string;
  readonly message: string;
  /** The section of the specification. */
  readonly link?: string;
}

export interface ValidationReport {
  /** The revision that was checked against; absent when there was no message. */
  readonly revision?: string;
  /** The ids of the extensions that were checked, too; absent when there are none. */
  readonly extensions?: readonly string[];
  /** The number of messages that could be read; those in batches count individually. */
  readonly messages: number;
  /** At most 1,000 findings in the order of the lines; `counts` has no limit. */
  readonly findings: readonly ValidationFinding[];
  readonly counts: Readonly<Record<ValidationSeverity, number>>;
}

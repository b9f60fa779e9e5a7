/** What `audit` finds out about a pair of files. Plain JSON data. */
export interface AuditReport {
  /** Version of this data format. */
  readonly format: 1;
  /** The revision that schema.ts declares, or that was asked for. */
  readonly revision?: string;
  /** The two files as they were named. */
  readonly files: { readonly ts: string; readonly json: string };
  /** By type, then member path, then the order of the rules. */
  readonly findings: readonly AuditFinding[];
  /** What the findings are explained by, in the order of the rules; only those that explain something. */
  readonly counts: readonly ExplanationCount[];
  /** Whether there is no finding that nothing explains. */
  readonly explained: boolean;
}

export interface AuditFinding {
  readonly type: string;
  /** Members from the type inwards, `[]` for items and `[key]` for the values of a map; empty for the type itself. */
  readonly path: string;
  readonly schemaTs: string;
  readonly schemaJson: string;
  readonly explanation: Explanation;
  /** What it means for somebody who relies on schema.json. */
  readonly consequence: string;
  /** Where `schema/corrections.json` puts the official file right. */
  readonly correction?: string;
  /** Instances that more than one alternative of a union accepts. */
  readonly evidence?: readonly Evidence[];
}

/** Why the files differ: the printer does it to every schema, or a listed erratum says so. */
export interface Explanation {
  readonly kind: "rule" | "correction" | "ambiguity" | "unexplained";
  /** Id of the lossy rule; `common-params`, `union-ordered` or `unexplained`. */
  readonly id: string;
  readonly sentence: string;
}

export interface Evidence {
  readonly instance: unknown;
  /** The alternatives that accept it, as they are written. */
  readonly accepted: readonly string[];
}

export interface ExplanationCount extends Explanation {
  readonly findings: number;
  /** Types that they are found in. */
  readonly types: number;
}

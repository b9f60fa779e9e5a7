/** What `compareSchema` finds out about a pair of files. Plain JSON data. */
export interface CompareSchemaReport {
  /** Version of this data format. */
  readonly format: 1;
  /** The revision that schema.ts declares, or that was asked for. */
  readonly revision?: string;
  /** The two files as they were named. */
  readonly files: { readonly ts: string; readonly json: string };
  /** By type, then member path, then the order of the rules. */
  readonly findings: readonly CompareSchemaFinding[];
  /** What the findings are explained by, in the order of the rules; only those that explain something. */
  readonly counts: readonly ExplanationCount[];
  /** Whether there is no finding that nothing explains. */
  readonly explained: boolean;
}

export interface CompareSchemaFinding {
  readonly type: string;
  /** Members from the type inwards, `[]` for items and `[key]` for the values of a map; empty for the type itself. */
  readonly path: string;
  readonly schemaTs: string;
  readonly schemaJson: string;
  readonly explanation: FindingExplanation;
  /** What it means for somebody who relies on schema.json. */
  readonly consequence: string;
  /** Where `schema/corrections.json` puts the official file right. */
  readonly correction?: string;
  /** Instances that more than one alternative of a union accepts. */
  readonly evidence?: readonly AmbiguousInstance[];
}

/** Why the files differ: the printer does it to every schema, or a listed erratum says so. */
export interface FindingExplanation {
  readonly kind: "rule" | "correction" | "ambiguity" | "unexplained";
  /** Id of the lossy rule; `common-params`, `union-ordered` or `unexplained`. */
  readonly id: string;
  readonly sentence: string;
}

export interface AmbiguousInstance {
  readonly instance: unknown;
  /** The alternatives that accept it, as they are written. */
  readonly accepted: readonly string[];
}

export interface ExplanationCount extends FindingExplanation {
  readonly findings: number;
  /** Types that they are found in. */
  readonly types: number;
}

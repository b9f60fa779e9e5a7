/** The result of comparing a pair of files. Plain JSON data. */
export interface CompareSchemaReport {
  /** Version of this data format. */
  readonly format: 1;
  /** The revision that schema.ts declares, or that was requested. */
  readonly revision?: string;
  /** The id of the extension that was requested. */
  readonly extension?: string;
  /** The two files as passed by the user. */
  readonly files: { readonly ts: string; readonly json: string };
  /** By type, then member path, then the order of the rules. */
  readonly findings: readonly CompareSchemaFinding[];
  /** The explanations in use, in the order of the rules. */
  readonly counts: readonly ExplanationCount[];
  /** Whether every finding is explained. */
  readonly explained: boolean;
}

export interface CompareSchemaFinding {
  readonly type: string;
  /** Members from the type inwards, `[]` for items and `[key]` for the values of a map; empty for the type itself. */
  readonly path: string;
  readonly schemaTs: string;
  readonly schemaJson: string;
  readonly explanation: FindingExplanation;
  /** The consequence for users of schema.json. */
  readonly consequence: string;
  /** The entries of `schema/corrections.json` that correct the official file. */
  readonly correction?: string;
  /** Instances that more than one alternative of a union accepts. */
  readonly evidence?: readonly AmbiguousInstance[];
}

/** The reason why the files differ: a rule of the schema printer, or a listed erratum. */
export interface FindingExplanation {
  readonly kind: "rule" | "correction" | "ambiguity" | "unexplained";
  /** Id of the lossy rule; `common-params`, `union-ordered` or `unexplained`. */
  readonly id: string;
  readonly sentence: string;
}

export interface AmbiguousInstance {
  readonly instance: unknown;
  /** The alternatives that accept it, as written in the schema. */
  readonly accepted: readonly string[];
}

export interface ExplanationCount extends FindingExplanation {
  readonly findings: number;
  /** Types with such findings. */
  readonly types: number;
}

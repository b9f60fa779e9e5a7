/** Facts of a revision, listed by hand from the specification and independent of the generator. */
export interface Facts {
  readonly revision: string;
  /** Number of interfaces and type aliases in the published schema.ts. */
  readonly definitions: number;
  /** Requests by sender. */
  readonly requests: { readonly client: Record<string, RequestFact>; readonly server: Record<string, RequestFact> };
  /** Notifications by sender; the value is the capability that must be declared, or null. */
  readonly notifications: {
    readonly client: Record<string, string | null>;
    readonly server: Record<string, string | null>;
  };
  /** Requests embedded in results; empty before 2026-07-28. */
  readonly inputRequests: Record<string, InputRequestFact>;
  /** Error code -> constant name, from the schema or (where the schema has none) from our overlay. */
  readonly errors: Record<string, string>;
  readonly profile: Record<string, string | number | boolean | null>;
  /** Undefined for revisions that do not define authorization. */
  readonly authorization?: Record<string, unknown>;
}

export interface RequestFact {
  /** Type of the request. */
  readonly type: string;
  /** Whether `params` must be present. */
  readonly params: "required" | "optional";
  /** The method's own result first, then the alternatives. */
  readonly results: readonly string[];
  /** `resultType` when that member distinguishes the alternatives, `task` when its presence does. */
  readonly tag?: "resultType" | "task";
  readonly capability: string | null;
  /** `member[=value|value]: capability` for each further condition, sorted. */
  readonly conditions?: readonly string[];
  /** The result member that contains the items of a page. */
  readonly pages?: string;
}

export interface InputRequestFact {
  readonly result: string;
  readonly capability: string;
  readonly conditions?: readonly string[];
}

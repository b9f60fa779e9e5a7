/** The revisions that are compared. */
export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

export type Predicate = (value: unknown) => boolean;

/** Finds an engine's check of a definition; `undefined` when the engine has none. */
export type Predicates = (definition: string) => Predicate | undefined;

/** Something that can tell a valid message from an invalid one. */
export interface Engine {
  readonly name: string;
  /** The package whose version the report states. */
  readonly packageName: string;
  /** Builds the checks of these definitions; `undefined` when the engine does not know the revision. */
  load(revision: Revision, definitions: readonly string[]): Promise<Predicates | undefined>;
}

/** Decides which goal holds. */
export type Kind = "request" | "result" | "mixed";

/** One kind of message, in several instances of different structure. */
export interface Case {
  readonly name: string;
  readonly definition: string;
  readonly kind: Kind;
  /** The texts of valid instances. */
  readonly valid: readonly string[];
  /** The same instances, each with one fault. */
  readonly invalid: readonly string[];
}

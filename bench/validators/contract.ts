/** The revisions that are compared. */
export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

export type Predicate = (value: unknown) => boolean;

/** Returns an engine's check of a definition; `undefined` when the engine has none. */
export type Predicates = (definition: string) => Predicate | undefined;

/** A validator under test. */
export interface Engine {
  readonly name: string;
  /** The package whose version is in the report. */
  readonly packageName: string;
  /** Builds the checks of these definitions; `undefined` when the engine does not support the revision. */
  load(revision: Revision, definitions: readonly string[]): Promise<Predicates | undefined>;
}

/** Determines which goal applies. */
export type Kind = "request" | "result" | "mixed";

/** One message type, with several instances of different structure. */
export interface Case {
  readonly name: string;
  readonly definition: string;
  readonly kind: Kind;
  /** Valid instances, as JSON text. */
  readonly valid: readonly string[];
  /** The same instances, each with one fault. */
  readonly invalid: readonly string[];
}

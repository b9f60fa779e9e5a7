import type { Span } from "../../shared/model/source.js";

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a tool returns, by the type of its function. */
export type ResultKind =
  /** Becomes the one text of the result. */
  | { readonly kind: "text" }
  /** Becomes `structuredContent`. */
  | { readonly kind: "structured"; readonly schema: JsonSchema }
  /** Is the result already. */
  | { readonly kind: "result" };

/** One exported function that is a tool. Plain data. */
export interface ToolModel {
  /** The name in the protocol. */
  readonly name: string;
  /** The exported name. */
  readonly function: string;
  readonly title?: string;
  readonly description?: string;
  /** The hints, by their names in the protocol. */
  readonly annotations: Readonly<Record<string, boolean>>;
  /** What the first parameter has to be; absent: the tool takes no arguments. */
  readonly input?: JsonSchema;
  /** Whether the function takes the context. */
  readonly context: boolean;
  readonly result: ResultKind;
  readonly span: Span;
}

export interface ToolFile {
  readonly tools: readonly ToolModel[];
  /** How another file in the same folder imports it. */
  readonly extension: ".js" | ".mjs" | ".ts" | ".mts";
  /** The files that were read, packages left out; absolute paths. */
  readonly sources: readonly string[];
}

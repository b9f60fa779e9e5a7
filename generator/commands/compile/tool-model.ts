import type { Span } from "../../shared/model/source.js";

/** A JSON Schema, 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The kind of result, determined by the return type of the function. */
export type ResultKind =
  /** The string becomes the text of the result. */
  | { readonly kind: "text" }
  /** The value becomes `structuredContent`. */
  | { readonly kind: "structured"; readonly schema: JsonSchema }
  /** The value is the result. */
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
  /** The schema of the first parameter; absent if the tool has no arguments. */
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
  /** Absolute paths of the files that were read, except packages. */
  readonly sources: readonly string[];
}

import type { Code } from "../code/code.js";
import type { Expression } from "../code/expression.js";
import type { Check, Path } from "./check.js";
import type { Constants, Names } from "./module-names.js";
import type { SchemaGraph, SchemaNode } from "./schema-node.js";

/** The state that the checks of one schema share. */
export interface PlanContext {
  readonly graph: SchemaGraph;
  readonly constants: Constants;
  /** Whether patterns are checked. */
  readonly patterns: boolean;
  /** The functions for a schema; created on first use. */
  readonly functions: (node: SchemaNode) => { readonly fits: Code; readonly issues: Code };
  /** The depth to pass to functions, where it is limited. */
  readonly depth: Code | undefined;
  /** Schemas whose expression is known to be long, so that they are not planned again. */
  readonly long: Set<SchemaNode>;
  /** `planChecks`, which this file cannot import: the checks of a schema contain those of others. */
  readonly plan: (node: SchemaNode, place: ValueLocation, context: PlanContext) => readonly Check[];
}

/** The location of a value during the check. */
export interface ValueLocation {
  readonly at: Code;
  readonly path: Path;
  /** Names of the enclosing function. */
  readonly names: Names;
}

export type Must = (test: Expression, message: string, then?: readonly Check[]) => Check;

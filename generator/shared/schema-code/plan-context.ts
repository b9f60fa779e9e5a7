import type { Code } from "../code/code.js";
import type { Expression } from "../code/expression.js";
import type { Check, Path } from "./check.js";
import type { Constants, Names } from "./module-names.js";
import type { SchemaGraph, SchemaNode } from "./schema-node.js";

/** What the checks of one schema refer to. */
export interface PlanContext {
  readonly graph: SchemaGraph;
  readonly constants: Constants;
  /** Whether patterns are checked. */
  readonly patterns: boolean;
  /** The functions for a schema; they are made when first asked for. */
  readonly functions: (node: SchemaNode) => { readonly fits: Code; readonly issues: Code };
  /** What functions hand on as their depth where it is bounded. */
  readonly depth: Code | undefined;
  /** Schemas that are known to be no short expression; planning them again and again would take long. */
  readonly long: Set<SchemaNode>;
  /** `planChecks`, which this file cannot import: the checks of a schema contain those of others. */
  readonly plan: (node: SchemaNode, place: ValueLocation, context: PlanContext) => readonly Check[];
}

/** Where a value is while it is checked. */
export interface ValueLocation {
  readonly at: Code;
  readonly path: Path;
  /** Names of the function that the checks stand in. */
  readonly names: Names;
}

export type Must = (test: Expression, message: string, then?: readonly Check[]) => Check;

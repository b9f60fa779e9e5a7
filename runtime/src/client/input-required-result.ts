import type { InputRequiredResult } from "../authoring.js";

/**
 * Whether a result asks for input, by its `resultType`: the result of a call with the option `allowInputRequired`.
 * @example
 * ```ts
 * const outcome = await client.callTool({ name: "deploy" }, { allowInputRequired: true });
 * if (!isInputRequiredResult(outcome)) console.log(outcome.content);
 * ```
 */
export function isInputRequiredResult(result: unknown): result is InputRequiredResult {
  return (result as { readonly resultType?: unknown } | null | undefined)?.resultType === "input_required";
}

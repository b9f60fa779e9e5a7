import { isObject } from "../../shared/is-object.js";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { ExtensionModel } from "../../shared/model/extension.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";
import { overlaidModel } from "../../pipeline/passes/overlaid-model.js";
import { modelProblem } from "./check-model.js";

/** Whether a JSON value is meant to be the model.json of an extension. */
export function isExtensionModel(value: unknown): value is Pick<ExtensionModel, "base"> {
  return isObject(value) && typeof value["extension"] === "string" && typeof value["base"] === "string";
}

/**
 * Checks the model.json of an extension.
 * @param base the model of its revision
 * @returns the model, and that of the revision with everything that it adds
 * @throws DiagnosticError model-malformed
 */
export function readExtensionModel(
  value: unknown,
  file: string,
  base: ProtocolModel,
): { readonly extension: ExtensionModel; readonly model: ProtocolModel } {
  const refuse = (reason: string): never => fail("model-malformed", { path: file, reason });
  const problem = partsProblem(value);
  if (problem !== undefined) return refuse(problem);
  const extension = value as ExtensionModel;
  const model = overlaidModel(base, { model: extension });
  const inParts = modelProblem(model);
  return inParts === undefined ? { extension, model } : refuse(inParts);
}

/** Checks the parts that laying an extension over its revision reads; `modelProblem` checks what is in them. */
function partsProblem(value: unknown): string | undefined {
  if (!isObject(value) || value["format"] !== 1) return "it is not a model.json of format 1";
  if (typeof value["specification"] !== "string") return "specification is not a string";
  for (const name of ["constants", "definitions", "requests", "notifications", "results", "metaKeys"])
    if (!Array.isArray(value[name])) return `${name} is not an array`;
  const at = (value["results"] as readonly unknown[]).findIndex((result) => !isAddedResult(result));
  if (at >= 0) return `results[${at}] is not as expected`;
  const { roles } = value;
  const isNamed = isObject(roles) && ["client", "server"].every((side) => typeof roles[side] === "string");
  return roles === undefined || isNamed ? undefined : "roles are not names by side";
}

function isAddedResult(result: unknown): boolean {
  return (
    isObject(result) &&
    ["method", "tag", "type"].every((name) => typeof result[name] === "string") &&
    Array.isArray(result["atLeastOneOf"])
  );
}

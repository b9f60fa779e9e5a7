import type { Validator } from "@seriousme/openapi-schema-validator";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../../shared/is-object.js";
import { escapePointer, OpenApiDocument } from "./openapi-document.js";

/**
 * Checks the version, the description against the published schema of its version, and its references.
 * @throws DiagnosticError openapi-version, openapi-invalid, openapi-reference-remote, openapi-reference-broken
 */
export async function checkDescription(value: unknown, path: string): Promise<OpenApiDocument> {
  if (!isObject(value)) return fail("openapi-version", { path, found: "is not an object" });
  const version = value["openapi"];
  if (typeof version !== "string" || !/^3\.[01](?:\.|$)/.test(version))
    return fail("openapi-version", { path, found: foundVersion(value) });
  const { errors } = await (await validator()).validate(value);
  // Its check of references, which reports a string, also reads examples.
  if (Array.isArray(errors) && errors.length > 0) {
    // The deepest error is the most exact one: errors of alternatives come before those of their members.
    const [first] = [...errors].sort((a, b) => depthOf(b.instancePath) - depthOf(a.instancePath));
    const pointer = `#${first?.instancePath ?? ""}`;
    const extra = first?.params["additionalProperty"] as unknown;
    const reason = `${first?.message ?? "is invalid"}${typeof extra === "string" ? `: ${extra}` : ""}`;
    return fail("openapi-invalid", { path, pointer, reason });
  }
  const document = new OpenApiDocument(value, path);
  checkReferences(document);
  return document;
}

let known: Promise<Validator> | undefined;

/** Compiles the schema of each version once. */
function validator(): Promise<Validator> {
  known ??= import("@seriousme/openapi-schema-validator").then((library) => new library.Validator());
  return known;
}

function foundVersion(value: Readonly<Record<string, unknown>>): string {
  if (typeof value["swagger"] === "string") return `is a Swagger ${value["swagger"]} description`;
  if (value["openapi"] === undefined) return "has no member openapi";
  return `has the OpenAPI version ${JSON.stringify(value["openapi"])}`;
}

function depthOf(pointer: string): number {
  return pointer.split("/").length;
}

/** Members whose values are data, in which `$ref` means nothing. */
const ofData = new Set(["example", "examples", "default", "enum", "const"]);
/** Members whose keys are names, not keywords. */
const ofNames = new Set([
  "properties",
  "schemas",
  "parameters",
  "responses",
  "requestBodies",
  "headers",
  "patternProperties",
  "$defs",
]);

function checkReferences(document: OpenApiDocument): void {
  const visit = (value: unknown, pointer: string, hasNames: boolean): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, `${pointer}/${index}`, false);
      return;
    }
    if (!isObject(value)) return;
    const reference = value["$ref"];
    if (typeof reference === "string" && !hasNames) document.resolve(reference, pointer);
    for (const [key, inner] of Object.entries(value)) {
      if (!hasNames && (ofData.has(key) || key.startsWith("x-"))) continue;
      visit(inner, `${pointer}/${escapePointer(key)}`, !hasNames && ofNames.has(key));
    }
  };
  visit(document.root, "#", false);
}

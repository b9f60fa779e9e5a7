import { fail } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import { JsonLocations } from "../../shared/json/json-locations.js";
import { findDeviation, type JsonStructure } from "../../shared/json/json-structure.js";
import type { ExtensionOverlayFile } from "../../shared/model/extension.js";
import type { Span } from "../../shared/model/source.js";
import { isExtensionId } from "../../shared/sources/extension-id.js";
import { isTypeName } from "../../shared/names/identifier.js";
import { isWindowsName } from "../../shared/files/windows-names.js";

const request: JsonStructure = {
  members: { type: "string" },
  optional: { spec: "string", result: "string", routedBy: "string", setting: "string" },
};
const notification: JsonStructure = { members: { type: "string" }, optional: { spec: "string" } };
const perSide = (shape: JsonStructure): JsonStructure => ({ map: { map: shape }, keys: ["client", "server"] });

/** The structure of an extension's overlay file; mirrors `ExtensionOverlayFile`. */
export const extensionOverlayStructure: JsonStructure = {
  members: { id: "string", over: { list: "string" } },
  optional: {
    name: "string",
    recognizedBy: { list: "string" },
    specification: "string",
    schemaPublished: "boolean",
    declaredBy: { choice: ["client", "server"] },
    names: { map: { members: { name: "string" } } },
    settings: { map: "string", keys: ["client", "server"] },
    commonParams: { map: "string", keys: ["request", "notification"] },
    requests: perSide(request),
    notifications: perSide(notification),
    results: {
      map: { map: { members: { type: "string" }, optional: { spec: "string", atLeastOneOf: { list: "string" } } } },
    },
    filters: {
      map: {
        members: { request: "string", type: "string", notification: "string", key: "string" },
        optional: { spec: "string" },
      },
    },
    metaKeys: { map: { members: {}, optional: { spec: "string" } } },
    roles: { members: { client: "string", server: "string" } },
  },
};

export interface ExtensionOverlay {
  readonly file: ExtensionOverlayFile;
  readonly at: (pointer: readonly string[]) => Span;
}

/** Whether a text is the overlay of an extension, not of a revision. */
export function isExtensionOverlay(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && "id" in value && "over" in value;
  } catch {
    return false;
  }
}

/**
 * @param stated the members that the overlay can leave out
 * @throws DiagnosticError overlay-malformed, extension-id-invalid
 */
export function readExtensionOverlay(
  text: string,
  file: string,
  stated: Partial<Pick<ExtensionOverlayFile, "id" | "over">> = {},
): ExtensionOverlay {
  const locations = new JsonLocations(text, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail("overlay-malformed", { reason: (error as Error).message }, locations.syntaxError(error as Error));
  }
  if (isObject(value)) value = { ...stated, ...value };
  const found = findDeviation(value, extensionOverlayStructure);
  if (found)
    fail(
      "overlay-malformed",
      { reason: `${found.path.join(".") || file}: expected ${found.expected}` },
      locations.locate(found.path),
    );
  const [twice] = locations.repetitions();
  if (twice) fail("overlay-malformed", { reason: `${twice.pointer.join(".")}: stated twice` }, twice.second);
  const data = value as ExtensionOverlayFile;
  const at = (pointer: readonly string[]): Span => locations.locate(pointer);
  if (data.over.length === 0)
    fail("overlay-malformed", { reason: "over: expected at least one revision" }, at(["over"]));
  assertNames({ file: data, at });
  for (const [name, fact] of Object.entries(data.names ?? {}))
    if (!isTypeName(fact.name))
      fail(
        "overlay-malformed",
        { reason: `names.${name}.name: expected a TypeScript identifier` },
        at(["names", name, "name"]),
      );
  return { file: data, at };
}

/** @throws DiagnosticError extension-id-invalid, extension-name-invalid */
export function assertNames({ file, at }: ExtensionOverlay): void {
  const { id, name } = file;
  if (!isExtensionId(id)) fail("extension-id-invalid", { id }, at(["id"]));
  if (!/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(nameOf(file)) || !isWindowsName(nameOf(file)))
    fail("extension-name-invalid", { name: nameOf(file) }, at(name === undefined ? ["id"] : ["name"]));
}

/** The name of an extension's folder and entry. */
export function nameOf({ id, name }: Pick<ExtensionOverlayFile, "id" | "name">): string {
  return (
    name ??
    id
      .slice(id.indexOf("/") + 1)
      .replace(/[^A-Za-z\d]+/g, "-")
      .toLowerCase()
  );
}

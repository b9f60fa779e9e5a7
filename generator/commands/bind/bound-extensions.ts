import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { moduleSpecifier } from "../../shared/files/module-specifier.js";
import { isObject } from "../../shared/is-object.js";
import { hasSchema, namedExtension, readKnownOverlay } from "../../shared/sources/extension-folder.js";
import { readExtensionOverlay } from "../../pipeline/overlay/extension-overlay.js";
import { camelCase } from "./module-names.js";

/** An extension that a bound client declares. */
export interface BoundExtension {
  readonly id: string;
  /** The name under which the client file exports the messages. */
  readonly name: string;
  /** The module with the messages. */
  readonly messages: string;
  /** The module and export of the value for the option `extensions`, and whether the value is a function that returns it. */
  readonly value: { readonly module: string; readonly name: string; readonly isCalled: boolean };
}

/** Values of the runtime, which add a behaviour to the messages of an extension. */
const behaviours: Readonly<Record<string, BoundExtension["value"]>> = {
  "io.modelcontextprotocol/tasks": { module: "@mcpwright/runtime/tasks/client", name: "tasks", isCalled: true },
};

const otherRoles = "its messages are not those of a client and a server";

/**
 * Finds the generated code of extensions.
 * @param places the id or short name of an extension of the package, or the folder that generate wrote for another one
 * @param out the client file, from which the code is imported
 * @throws DiagnosticError extension-unknown, extension-ambiguous, extension-not-generated
 */
export async function boundExtensions(
  places: readonly string[],
  out: string | undefined,
): Promise<readonly BoundExtension[]> {
  const found = await Promise.all(places.map(async (place) => boundExtension(place, out)));
  // An id and its short name mean the same.
  return [...new Map(found.map((extension) => [extension.messages, extension])).values()];
}

async function boundExtension(place: string, out: string | undefined): Promise<BoundExtension> {
  const known = await namedExtension(place);
  if (known) {
    const module = `@mcpwright/protocol/extensions/${known.name}`;
    const { text, file } = await readKnownOverlay(known);
    if (!hasSchema(known)) fail("extension-not-generated", { path: place, reason: "mcpwright has no code for it" });
    if (readExtensionOverlay(text, file).file.roles)
      fail("extension-not-generated", { path: place, reason: otherRoles });
    return bound(known.id, known.name, { messages: `${module}/client`, index: module });
  }
  const { extension, name } = readModel(place);
  const from = dirname(resolve(out ?? "client.ts"));
  const module = moduleSpecifier(from, resolve(place));
  return bound(extension, name, { messages: `${module}/client.js`, index: `${module}/index.js` });
}

function bound(
  id: string,
  name: string,
  modules: { readonly messages: string; readonly index: string },
): BoundExtension {
  const value = behaviours[id] ?? { module: modules.index, name: "clientExtension", isCalled: false };
  return { id, name: camelCase(name, "extension"), messages: modules.messages, value };
}

function readModel(folder: string): { readonly extension: string; readonly name: string } {
  const refuse = (reason: string): never => fail("extension-not-generated", { path: folder, reason });
  const file = join(folder, "model.json");
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return refuse("it is not a folder");
  if (!existsSync(file)) return refuse("it has no model.json");
  let model: unknown;
  try {
    model = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return refuse("its model.json is not JSON");
  }
  const { extension, name, roles } = isObject(model) ? model : {};
  if (typeof extension !== "string" || typeof name !== "string") return refuse("its model.json is that of a revision");
  if (roles !== undefined) return refuse(otherRoles);
  if (!existsSync(join(folder, "client.ts"))) return refuse("it has no client.ts");
  return { extension, name };
}

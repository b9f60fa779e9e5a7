import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { DiagnosticError, fail } from "../../shared/diagnostics/diagnostic.js";
import { modelInputs } from "../../pipeline/load-model.js";
import type { ProtocolModel, Side } from "../../shared/model/protocol.js";
import type { Member, SourceModule, Span, TypeExpression } from "../../shared/model/source.js";
import { JsonLocations } from "../../shared/json/json-locations.js";
import { readModel, type ModelInputs } from "../../pipeline/read-model.js";
import { isExtensionOverlay } from "../../pipeline/overlay/extension-overlay.js";
import { overlaidModel, ownNames } from "../../pipeline/passes/overlaid-model.js";
import { idDeclaration } from "../../pipeline/passes/stated-roles.js";
import {
  extensionInputs,
  knownExtensionInputs,
  readExtension,
  type ExtensionInputs,
} from "../../pipeline/read-extension.js";
import { extensionFile, extensionNamed, recognizedExtension } from "../../shared/sources/extension-folder.js";
import { isSchemaLocation, knownRevisions, readLocation } from "../../shared/sources/schema-folder.js";
import type { Locate } from "./diff-models.js";
import { isModel, modelProblem } from "./check-model.js";
import { isExtensionModel, readExtensionModel } from "./extension-model.js";

/** A revision as it is compared and explained: its model, and where things stand in its files. */
export interface ReadRevision {
  readonly model: ProtocolModel;
  /** The file as it was named. */
  readonly file: string;
  /** Facts that no overlay states. */
  readonly unstated: readonly Diagnostic[];
  readonly locate: Locate;
  /** Of an extension: the names of the types and methods that it adds to its revision. */
  readonly own?: ReadonlySet<string>;
  /** Of an extension with roles of its own: their names. */
  readonly roles?: Readonly<Record<Side, string>>;
}

/**
 * Reads what a user names.
 * @param name a revision, or the id or short name of an extension, that comes with the package; a path or URL of a schema.ts, schema.json or
 *   model.json, the generated folder of a revision or extension, or the folder with the schema and overlay of an extension
 * @param fallback the id of a schema that does not declare its revision
 * @param imports paths or URLs of the files that a schema imports, by specifier
 * @throws DiagnosticError when it cannot be read or is invalid
 */
export async function readRevision(
  name: string,
  fallback: string,
  imports: Readonly<Record<string, string>> = {},
): Promise<ReadRevision> {
  const known = knownRevisions();
  if (known.includes(name)) return fromInputs(await modelInputs({ revision: name }));
  // A generated folder also has a schema.json.
  const generated = join(name, "model.json");
  if (existsSync(generated)) return readRevision(generated, fallback);
  if (await isExtension(name)) return fromExtension(await extensionInputs({ extension: name, imports }));
  if (!/\.(ts|mts|cts|json)$/.test(pathOf(name)))
    return fail("revision-or-file-unknown", { name, known: known.join(", ") });
  if (pathOf(name).endsWith(".json")) {
    const read = await modelIn(name);
    if (read) return { ...read, file: name, unstated: [], locate: () => undefined };
  }
  return fromInputs(await inputsOf(name, fallback, imports));
}

/** The path without the query and fragment of a URL. */
function pathOf(name: string): string {
  return URL.canParse(name) && /^https?:/.test(name) ? new URL(name).pathname : name;
}

async function inputsOf(
  schema: string,
  fallback: string,
  imports: Readonly<Record<string, string>>,
): Promise<ModelInputs> {
  try {
    return await modelInputs({ schema, imports });
  } catch (error) {
    const isUnstated =
      error instanceof DiagnosticError && error.diagnostics.every(({ id }) => id === "revision-unstated");
    if (!isUnstated) throw error;
    return modelInputs({ schema, imports, revision: fallback });
  }
}

type ReadModel = Pick<ReadRevision, "model" | "own" | "roles">;

async function modelIn(name: string): Promise<ReadModel | undefined> {
  const { text, file } = await readLocation(name);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined; // the reader of JSON Schema says where it is broken
  }
  if (isExtensionModel(value)) {
    const revision = value.base;
    if (!knownRevisions().includes(revision))
      return fail("model-malformed", { path: file, reason: `mcpwright does not have its revision ${revision}` });
    const { model: base } = await readModel(await modelInputs({ revision }));
    const { extension, model } = readExtensionModel(value, file, base);
    return { model, own: ownNames({ model: extension }), ...(extension.roles && { roles: extension.roles }) };
  }
  if (!isModel(value)) return undefined;
  const reason = modelProblem(value);
  if (reason !== undefined) return fail("model-malformed", { path: file, reason });
  return { model: value };
}

async function fromInputs(inputs: ModelInputs): Promise<ReadRevision> {
  const { model, module, findings } = await readModel(inputs);
  const overlay = inputs.overlays.find(({ revision }) => revision === inputs.revision);
  const locations = overlay && new JsonLocations(overlay.text, overlay.file);
  const declared = declarationsOf(module);
  return {
    model,
    file: inputs.schema.file,
    unstated: findings,
    locate: ({ kind, path }) => {
      const span = kind === "schema" ? spanOf(path, declared) : ownEntry(path, locations);
      return span && { file: span.file, line: span.line };
    },
  };
}

/** Whether a name means an extension: its id or short name, a folder with its schema, or a schema whose overlay is that of an extension. */
async function isExtension(name: string): Promise<boolean> {
  if (!existsSync(name)) return (await extensionNamed(name)) !== undefined;
  const file = extensionFile(name);
  if (!existsSync(file) || !isSchemaLocation(file) || file.endsWith("model.json")) return false;
  const { text, overlay } = await readLocation(file);
  if (text.includes(idDeclaration)) return true;
  if (overlay !== undefined) return isExtensionOverlay(overlay);
  // The schema of a revision may mention extensions, but has role unions.
  return !text.includes("ClientRequest") && (await recognizedExtension(text)) !== undefined;
}

async function fromExtension(inputs: ExtensionInputs): Promise<ReadRevision> {
  const { layered, base, module, findings } = await readExtension(inputs);
  const declared = declarationsOf(module);
  return {
    model: overlaidModel(base, layered),
    file: inputs.schema.file,
    unstated: findings,
    own: ownNames(layered),
    ...(layered.model.roles && { roles: layered.model.roles }),
    locate: ({ kind, path }) => {
      const span = kind === "schema" ? spanOf(path, declared) : undefined;
      return span && { file: span.file, line: span.line };
    },
  };
}

/** The extensions of the package in whose schema a name occurs. */
export async function extensionsWith(name: string): Promise<readonly ReadRevision[]> {
  const inputs = await knownExtensionInputs(knownRevisions());
  const found = inputs.filter(({ schema }) => schema.text.includes(name) || name.endsWith("Params"));
  const read = await Promise.all(found.map(fromExtension));
  return read.filter(({ own }) => own?.has(name));
}

/** Entries that are inherited stand in the overlay of another revision. */
function ownEntry(path: readonly string[], locations: JsonLocations | undefined): Span | undefined {
  if (!locations) return undefined;
  const root: unknown = JSON.parse(locations.text);
  const found = path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    root,
  );
  return found === undefined ? undefined : locations.locate(path);
}

type Declared = ReadonlyMap<string, SourceModule["declarations"][number]>;

function declarationsOf({ declarations }: SourceModule): Declared {
  return new Map(declarations.map((declaration) => [declaration.name, declaration]));
}

/** The place of a declaration or of a member in it, as deep as it goes. */
function spanOf([name = "", ...path]: readonly string[], declared: Declared): Span | undefined {
  const declaration = declared.get(name);
  if (!declaration) return undefined;
  let span = declaration.span;
  let members =
    declaration.kind === "interface"
      ? declaration.members
      : declaration.kind === "alias"
        ? membersOf(declaration.type)
        : [];
  for (const part of path) {
    const member = members.find((own) => own.name === part);
    if (!member) break;
    span = member.span;
    members = membersOf(member.type);
  }
  return span;
}

function membersOf(type: TypeExpression): readonly Member[] {
  switch (type.kind) {
    case "object":
      return type.members;
    case "array":
      return membersOf(type.items);
    case "union":
    case "intersection":
      return type.members.flatMap(membersOf);
    default:
      return [];
  }
}

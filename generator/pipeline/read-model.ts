import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import { customFunctionsNamed } from "../shared/sources/custom-functions.js";
import { fail } from "../shared/diagnostics/diagnostic.js";
import { correct, type Corrections } from "../shared/fidelity/corrections.js";
import type { SourceModule } from "../shared/model/source.js";
import { effectiveOverlay } from "./overlay/effective-overlay.js";
import type { OverlayText } from "../shared/sources/overlay-text.js";
import { buildModel, type BuiltModel } from "./passes/build-model.js";
import { joinModules, linkImports } from "./passes/link-imports.js";
import { readDocs } from "./passes/read-docs.js";
import { readJsonSchema } from "./read/json-schema.js";
import { byAge, isDate, type SchemaText } from "../shared/sources/schema-folder.js";

/** All inputs of a revision's model. */
export interface ModelInputs {
  readonly revision: string;
  readonly schema: SchemaText;
  readonly overlays: readonly OverlayText[];
  readonly docs: { readonly file: string; readonly text: string };
  /** The files that the schema imports, by specifier. Default: none. */
  readonly imports?: ReadonlyMap<string, SchemaText>;
  /** Set when all inputs come with the package, so that they can be read again. */
  readonly fromPackage?: true;
  /** For the schema.json of a known revision, which has lost facts: our schema.ts, and the places to correct. */
  readonly lost?: { readonly schema: SchemaText; readonly corrections: Corrections };
}

export type Phase = "read" | "build" | "emit" | "format" | "write";

/** READ, OVERLAY and PASSES for one revision. */
export async function readModel(
  inputs: ModelInputs,
  onPhase: (phase: Phase) => void = () => undefined,
): Promise<BuiltModel> {
  onPhase("read");
  const module = inputs.lost
    ? await linked(await readWithLost(inputs.schema, inputs.lost), inputs.imports)
    : await readLinked(inputs.schema, inputs.imports);
  onPhase("build");
  const { revision, overlays, docs } = inputs;
  const texts = overlays.map((overlay) => overlay.revision);
  const texted = readDocs(docs.text, docs.file, texts);
  const built = buildModel(module, revision, effectiveOverlay(revision, overlays), texted);
  const { conversions } = built.model;
  if (!conversions || !inputs.schema.customFunctions) return built;
  const facts = [conversions.up, conversions.down].flatMap((direction) => Object.values(direction));
  const named = facts.flatMap(({ function: custom }) => (custom === undefined ? [] : [custom]));
  // The folder may contain functions that this overlay does not name.
  const customFunctions = customFunctionsNamed(named, inputs.schema.customFunctions);
  if (customFunctions.size === 0) return built;
  return {
    ...built,
    model: { ...built.model, conversions: { ...conversions, customFunctions: Object.fromEntries(customFunctions) } },
  };
}

/**
 * Adds the constants of our schema.ts and corrects the definitions; places that are correct, as in our own schema.json,
 * stay unchanged.
 */
async function readWithLost(
  { file, text }: SchemaText,
  { schema, corrections }: NonNullable<ModelInputs["lost"]>,
): Promise<SourceModule> {
  const module = readJsonSchema(text, file, (definitions) => correct(definitions, corrections, () => undefined));
  const declared = new Set(module.declarations.map(({ name }) => name));
  const { declarations } = await readSchema(schema);
  const constants = declarations.filter(({ kind, name }) => kind === "constant" && !declared.has(name));
  return { ...module, declarations: [...constants, ...module.declarations] };
}

/** Reads a schema together with the declarations that it imports. */
export async function readLinked(
  schema: SchemaText,
  imports: ReadonlyMap<string, SchemaText> = new Map(),
): Promise<SourceModule> {
  return linked(await readSchema(schema), imports);
}

async function linked(
  module: SourceModule,
  imports: ReadonlyMap<string, SchemaText> = new Map(),
): Promise<SourceModule> {
  if (!module.imports) return module;
  const files = new Map<string, Promise<SourceModule>>();
  const modules = new Map<string, SourceModule>();
  for (const [specifier, text] of imports) {
    const read = text.file === module.file ? Promise.resolve(module) : (files.get(text.file) ?? readSchema(text));
    files.set(text.file, read);
    modules.set(specifier, await read);
  }
  return joinModules(linkImports(module, (specifier) => modules.get(specifier)));
}

/** Reads the declarations of a schema; imports stay unresolved. */
export async function readSchema({ file, text }: SchemaText): Promise<SourceModule> {
  if (file.endsWith(".json")) return readJsonSchema(text, file);
  const { readTypeScript } = await import("./read/typescript.js");
  return readTypeScript(text, file);
}

/**
 * The revision of a schema that the user names: the stated one, or its version constant, or its folder's name.
 * @throws DiagnosticError when there is none, or when it cannot name a folder
 */
export async function revisionOf(schema: SchemaText, stated: string | undefined): Promise<string> {
  const revision = stated ?? (await declaredRevision(schema)) ?? folderRevision(schema.file);
  if (revision === undefined) return fail("revision-unstated", { path: schema.file });
  assertRevision(revision);
  return revision;
}

/** @throws DiagnosticError when the id cannot name a folder */
export function assertRevision(revision: string): void {
  if (!canNameFolder(revision)) fail("revision-invalid", { revision });
}

/**
 * A revision is a folder of the output: its name must be valid on every system and differ from all other files and
 * folders of the output.
 */
function canNameFolder(revision: string): boolean {
  return (
    /^[A-Za-z0-9][\w.-]{0,63}$/.test(revision) &&
    !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(revision) &&
    !/\.$|\.(ts|json|md|tsbuildinfo)$|^(shared|dist|coverage|node_modules|license)$/i.test(revision)
  );
}

async function declaredRevision(schema: SchemaText): Promise<string | undefined> {
  if (schema.file.endsWith(".json")) return undefined;
  const { declarations } = await readSchema(schema);
  const constant = declarations.find(({ kind, name }) => kind === "constant" && name === "LATEST_PROTOCOL_VERSION");
  return constant?.kind === "constant" && typeof constant.value === "string" ? constant.value : undefined;
}

function folderRevision(file: string): string | undefined {
  const folder = basename(dirname(file));
  return isDate(folder) ? folder : undefined;
}

/**
 * The overlays for a user's schema: those of the package, where the schema's own overlay replaces the one of the same
 * revision.
 */
export function overlaysFor(
  revision: string,
  schema: SchemaText,
  known: readonly OverlayText[],
): readonly OverlayText[] {
  if (schema.overlay === undefined) return known;
  const own: OverlayText = { revision, file: schema.file.replace(/[^/\\]*$/, "overlay.json"), text: schema.overlay };
  const others = known.filter((overlay) => overlay.revision !== revision);
  return [...others, own].sort((a, b) => byAge(a.revision, b.revision));
}

/** sha256 of all inputs of a model. */
export function hashInputs(
  { revision, schema, imports, overlays, docs, lost }: ModelInputs,
  more: readonly string[],
): string {
  const texts = [
    revision,
    schema.text,
    ...overlays.flatMap((overlay) => [overlay.revision, overlay.text]),
    docs.text,
    ...[...(schema.customFunctions ?? [])].flat(),
    ...[...(imports ?? [])].flatMap(([specifier, { text }]) => [specifier, text]),
    ...(lost ? [lost.schema.text, JSON.stringify(lost.corrections)] : []),
    ...more,
  ];
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.replaceAll("\r\n", "\n")}\0`);
  return hash.digest("hex");
}

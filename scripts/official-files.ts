/**
 * Finds the official files of extensions and the draft, which the repository does not contain: those of npm packages are
 * installed, the others are downloaded, unless `MCPWRIGHT_OFFICIAL_EXTENSIONS` names a folder with `tasks/` and `draft/`.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ExtensionPins } from "../generator/shared/fidelity/pins.js";
import { installPinned, pinnedVersion } from "./pinned.js";

/** The official files of an extension; absolute paths. */
export interface OfficialExtension {
  readonly name: "apps" | "tasks";
  readonly schema: string;
  readonly json: string;
  /** The files beside the schema that it imports, by specifier. */
  readonly imports: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, "..");
const packages = join(root, "test/official");
const handedIn = process.env["MCPWRIGHT_OFFICIAL_EXTENSIONS"];
const cache = join(root, "node_modules/.cache/mcpwright/official");
const draftSource =
  "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol/main/schema/draft/schema.ts";
const pins = JSON.parse(readFileSync(join(root, "schema/extensions/pins.json"), "utf8")) as ExtensionPins;

/**
 * The official files of apps, and those of tasks if they can be downloaded.
 * @param say called with a line for what cannot be downloaded
 * @throws Error when a file is not the pinned one
 */
export async function officialExtensions(say: (line: string) => void): Promise<readonly OfficialExtension[]> {
  const tasks = await filesOfTasks(say);
  return [filesOfApps(), ...(tasks ? [tasks] : [])];
}

/** The schema.ts of the draft of the day, if it can be downloaded. */
export async function officialDraft(say: (line: string) => void): Promise<string | undefined> {
  const target = join(handedIn ?? cache, "draft/schema.ts");
  const isHere = handedIn === undefined ? await download(draftSource, target, say) : existsSync(target);
  return isHere ? target : undefined;
}

function filesOfApps(): OfficialExtension {
  installPinned(packages);
  const name = "@modelcontextprotocol/ext-apps";
  const { id, pin } = pinOf("apps");
  if (!pin.source.includes(`${name}@${String(pinnedVersion(packages, name))}/`))
    throw new Error(`${id} is pinned to ${pin.source}, which is not the version in test/official/package.json`);
  const folder = join(packages, "node_modules", name, "dist/src");
  const files = { schema: join(folder, "spec.types.d.ts"), json: join(folder, "generated/schema.json") };
  assertPinned(files.schema, pin["schema.ts"]);
  return { name: "apps", ...files, imports: {} };
}

async function filesOfTasks(say: (line: string) => void): Promise<OfficialExtension | undefined> {
  const { id, pin } = pinOf("tasks");
  const folder = join(handedIn ?? cache, "tasks");
  const names = ["schema.ts", "schema.json", "spec.types.ts"];
  for (const name of names) {
    if (existsSync(join(folder, name))) continue;
    if (handedIn !== undefined) throw new Error(`${folder} lacks ${name} of ${id}`);
    if (!(await download(new URL(name, pin.source).href, join(folder, name), say))) return undefined;
  }
  const [schema = "", json = "", types = ""] = names.map((name) => join(folder, name));
  assertPinned(schema, pin["schema.ts"]);
  assertPinned(json, pin["schema.json"]);
  return { name: "tasks", schema, json, imports: { "./spec.types.js": types } };
}

async function download(source: string, target: string, say: (line: string) => void): Promise<boolean> {
  try {
    const response = await fetch(source, { signal: AbortSignal.timeout(20_000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const text = await response.text();
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return true;
  } catch (error) {
    say(`not tried: ${source} cannot be downloaded (${error instanceof Error ? error.message : String(error)})`);
    return false;
  }
}

function pinOf(name: OfficialExtension["name"]): { readonly id: string; readonly pin: ExtensionPins[string] } {
  const [found] = Object.entries(pins).filter(([id]) => id.startsWith(`${name}/`));
  if (!found) throw new Error(`schema/extensions/pins.json lacks ${name}`);
  return { id: found[0], pin: found[1] };
}

function assertPinned(path: string, sha256: string | undefined): void {
  const found = createHash("sha256").update(readFileSync(path)).digest("hex");
  if (found !== sha256) throw new Error(`${path} is not the file in schema/extensions/pins.json`);
}

import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { schemaFolder } from "../../shared/sources/schema-folder.js";
import { withLf } from "../../shared/files/content-hash.js";
import { notWritable } from "../../shared/files/file-errors.js";
import { parseVendorPins, type VendorPins } from "./vendor-pin.js";

/** What a schema folder holds of one revision; texts have LF line ends. */
export interface SchemaTarget {
  readonly schema?: string;
  readonly overlay?: string;
  readonly pinsText?: string;
  readonly pins: VendorPins;
}

/** @throws DiagnosticError when the folder is not one to vendor into */
export function assertSchemaFolder(folder: string, out: string): void {
  const refuse = (reason: string): never => fail("vendor-target-refused", { path: folder, reason });
  const paths = [resolve(folder), realPathOf(folder)];
  if (paths.some((path) => path.toLowerCase().split(/[\\/]/).includes("node_modules")))
    refuse("what is in node_modules is lost with the next install");
  if (paths.some((path) => contains(schemaFolder(), path))) refuse("these are the schemas that come with mcpwright");
  if (paths.some((path) => contains(resolve(out), path) || contains(realPathOf(out), path)))
    refuse("it is in the output folder");
  if (existsSync(folder) && !statSync(folder).isDirectory()) refuse("it is not a folder");
}

/** @throws DiagnosticError when something stands there that is no file, or pins.json is none */
export function readTarget(folder: string, revision: string): SchemaTarget {
  try {
    const pinsText = readOwn(folder, "pins.json");
    const [schema, overlay] = ["schema.ts", "overlay.json"].map((name) => readOwn(folder, `${revision}/${name}`));
    return {
      ...(schema !== undefined && { schema }),
      ...(overlay !== undefined && { overlay }),
      ...(pinsText !== undefined && { pinsText }),
      pins: pinsText === undefined ? {} : parseVendorPins(pinsText, join(folder, "pins.json")),
    };
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/** Links are not followed: what they lead to is not ours. */
function readOwn(folder: string, path: string): string | undefined {
  const segments = path.split("/");
  for (const index of segments.keys()) {
    const at = join(folder, ...segments.slice(0, index + 1));
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats) return undefined;
    const last = index === segments.length - 1;
    if (last ? !stats.isFile() : !stats.isDirectory()) fail("vendor-foreign", { path: at });
  }
  return withLf(readFileSync(join(folder, path), "utf8"));
}

/** Of a path that need not exist yet. */
function realPathOf(path: string): string {
  const absolute = resolve(path);
  let existing = absolute;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  return join(realpathSync(existing), relative(existing, absolute));
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

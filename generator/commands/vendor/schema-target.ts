import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { schemaFolder } from "../../shared/sources/schema-folder.js";
import { withLf } from "../../shared/files/content-hash.js";
import { notWritable } from "../../shared/files/file-errors.js";
import { parseVendorPins, type VendorPins } from "./vendor-pin.js";

/** The files of one revision in a schema folder; texts have LF line ends. */
export interface SchemaTarget {
  readonly schema?: string;
  readonly overlay?: string;
  readonly pinsText?: string;
  readonly pins: VendorPins;
}

/** @throws DiagnosticError when the folder is not allowed */
export function assertSchemaFolder(folder: string, out: string): void {
  const refuse = (reason: string): never => fail("vendor-target-refused", { path: folder, reason });
  const paths = [resolve(folder), realPathOf(folder)];
  if (paths.some((path) => path.toLowerCase().split(/[\\/]/).includes("node_modules")))
    refuse("the next install deletes files in node_modules");
  if (paths.some((path) => contains(schemaFolder(), path))) refuse("it contains the schemas of mcpwright");
  if (paths.some((path) => contains(resolve(out), path) || contains(realPathOf(out), path)))
    refuse("it is in the output folder");
  if (existsSync(folder) && !statSync(folder).isDirectory()) refuse("it is not a folder");
}

/** @throws DiagnosticError when a path is not a file, or pins.json is invalid */
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

/** The text of a file in the folder, with LF line ends. Links are not followed, because their targets belong to the user. */
export function readOwn(folder: string, path: string): string | undefined {
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

/** The real path of a path that need not exist. */
function realPathOf(path: string): string {
  const absolute = resolve(path);
  let existing = absolute;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  return join(realpathSync(existing), relative(existing, absolute));
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

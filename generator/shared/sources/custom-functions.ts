import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { diagnostic, fail, type Diagnostic } from "../diagnostics/diagnostic.js";
import { code, type Code } from "../code/code.js";
import type { ProtocolModel } from "../model/protocol.js";
import { packageRoot } from "../package-root.js";

/** The custom conversion functions as text, by name. */
export type CustomFunctions = ReadonlyMap<string, string>;

const folder = "generator/pipeline/conversions/functions";

/** @throws DiagnosticError when a file cannot be read */
export function readCustomFunctions(path = join(packageRoot().folder, folder)): CustomFunctions {
  let shown = path;
  try {
    const customFunctions = new Map<string, string>();
    for (const file of readdirSync(path).sort()) {
      shown = join(path, file);
      if (/^[a-z][\w-]*\.ts$/.test(file) && statSync(shown).isFile())
        customFunctions.set(nameOf(file), readFileSync(shown, "utf8").replaceAll("\r\n", "\n"));
    }
    return customFunctions;
  } catch (error) {
    return fail("input-not-found", { path: shown, reason: (error as NodeJS.ErrnoException).code ?? String(error) });
  }
}

/** The named functions that are in `customFunctions`, with those that they import. */
export function customFunctionsNamed(names: Iterable<string>, customFunctions: CustomFunctions): CustomFunctions {
  const found = new Map<string, string>();
  const add = (name: string): void => {
    const text = customFunctions.get(name);
    if (text === undefined || found.has(name)) return;
    found.set(name, text);
    for (const [, other = ""] of text.matchAll(imported)) add(other);
  };
  for (const name of names) add(name);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The functions of the package and those next to the overlays of revisions. Of two that differ, the package's is used,
 * else that of the newest revision, because users change revisions one after the other.
 * @param isKept whether a revision stays unchanged, and so cannot be corrected in this run
 * @throws DiagnosticError when the function of another revision has the name of one of the package
 */
export function customFunctionsFor(
  models: readonly ProtocolModel[],
  isKept: (revision: string) => boolean,
): { readonly customFunctions: CustomFunctions; readonly findings: readonly Diagnostic[] } {
  const own = readCustomFunctions();
  const customFunctions = new Map(own);
  const findings: Diagnostic[] = [];
  const owners = new Map<string, string>();
  for (const { revision, conversions } of models.toReversed())
    for (const [name, text] of Object.entries(conversions?.customFunctions ?? {})) {
      const known = customFunctions.get(name);
      if (known === undefined) {
        customFunctions.set(name, text);
        owners.set(name, revision);
      } else if (known !== text) {
        if (own.has(name) && !isKept(revision)) fail("conversion-hole-repeated", { name, revision });
        const other = owners.get(name) ?? "mcpwright";
        findings.push(diagnostic("conversion-hole-differs", { name, revision, other }));
      }
    }
  return { customFunctions, findings };
}

/**
 * The wanted functions and those that they import, ready to print. They are code of this package or of the user, not of
 * a schema.
 * @throws DiagnosticError for a name that no file has
 */
export function printCustomFunctions(
  wanted: readonly { readonly name: string; readonly at: string }[],
  customFunctions: CustomFunctions,
): readonly Code[] {
  const printed = new Map<string, string>();
  const add = (name: string, at: string): void => {
    if (printed.has(name)) return;
    const text = customFunctions.get(name);
    if (text?.includes(`export function ${name}(`) !== true)
      return fail("conversion-hole-missing", { name, at, path: folder });
    printed.set(name, text.replace(imported, "").trim());
    for (const [, other = ""] of text.matchAll(imported)) add(other, at);
  };
  for (const { name, at } of wanted) add(name, at);
  return [...printed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => code`${text as Code}`);
}

/** Whether a function takes the parent object as its second argument. */
export function takesParent(name: string, customFunctions: CustomFunctions): boolean {
  return new RegExp(`^export function ${name}\\(\\w+: unknown, `, "m").test(customFunctions.get(name) ?? "");
}

const imported = /^import \{ (\w+) \} from "\.\/[\w-]+\.js";\n/gm;

/** `firstHundred` of `first-hundred.ts`. */
function nameOf(file: string): string {
  return file.replace(/\.ts$/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

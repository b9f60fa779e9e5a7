import { UsageError } from "./usage-error.js";

/** `--import <specifier>=<path>`: a file that a schema imports. May be repeated. */
export const importOption = {
  describe: "File that the schema imports: <specifier>=<path or URL>; may be repeated",
  type: "string",
  array: true,
  nargs: 1,
  requiresArg: true,
} as const;

/**
 * The locations by specifier.
 * @param hasSchema whether the command line names a schema file
 * @throws UsageError for a value without both parts, a specifier that is given twice, and imports without a schema
 */
export function importsOf(
  values: readonly string[] | undefined,
  hasSchema = true,
): { readonly imports?: Readonly<Record<string, string>> } {
  if (!values || values.length === 0) return {};
  if (!hasSchema) throw new UsageError("--import requires a schema file.");
  const imports = new Map<string, string>();
  for (const value of values) {
    const at = value.indexOf("=");
    const [specifier, location] = [value.slice(0, at), value.slice(at + 1)];
    if (at < 1 || location === "")
      throw new UsageError(`--import must be <specifier>=<path or URL>, not ${JSON.stringify(value)}.`);
    if (imports.has(specifier)) throw new UsageError(`--import ${specifier} is given twice.`);
    imports.set(specifier, location);
  }
  return { imports: Object.fromEntries(imports) };
}

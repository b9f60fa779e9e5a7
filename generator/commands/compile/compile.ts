import { basename, dirname, join, resolve, sep } from "node:path";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { format } from "../../pipeline/format/format.js";
import { packageRoot } from "../../shared/package-root.js";
import { createRenderer } from "../../pipeline/render/render.js";
import { readWrittenFile, withChecksum, writeWithChecksum } from "../../shared/files/file-with-checksum.js";
import { moduleSpecifier } from "../../shared/files/module-specifier.js";
import { unifiedDiff } from "../../shared/files/unified-diff.js";
import { emitModule } from "./emit-module.js";

export interface CompileOptions {
  /** The TypeScript file with the tools. */
  readonly file: string;
  /** The output file. Default: beside the source, `weather.mcp.ts` for `weather.ts`. */
  readonly out?: string;
  /** Whether to write nothing and report the differences. Default: `false`. */
  readonly check?: boolean;
}

export interface CompileResult {
  /** The file that was written, or would be. */
  readonly out: string;
  /** The names of the tools, in their order. */
  readonly tools: readonly string[];
  readonly changed: boolean;
  /** With `check`: a unified diff from the disk to what belongs there; empty when there is none. */
  readonly diff: string;
  /** The files that the tools' types were found in; absolute paths. */
  readonly sources: readonly string[];
}

/**
 * Makes tools of the exported functions with the tag `@tool` in a TypeScript file: writes their JSON Schemas, compiled
 * validators and a function `registerTools(server)`. All or nothing is written, and nothing when nothing changed.
 *
 * @throws DiagnosticError with every function that cannot become a tool; file-foreign when the output is
 *   a file that `compile` did not write, output-edited when it was edited; output-not-writable
 */
export async function compile({ file, out, check = false }: CompileOptions): Promise<CompileResult> {
  if (!/\.[mc]?ts$/.test(file) || /\.d\.[mc]?ts$|\.mcp\.[mc]?ts$/.test(file))
    fail("compile-not-typescript", { path: file });
  const target = out ?? file.replace(/\.([mc]?ts)$/, ".mcp.$1");
  if (resolve(target) === resolve(file)) fail("compile-out-refused", { path: target, reason: "it is the source file" });
  if (!/\.[mc]?ts$/.test(target))
    fail("compile-out-refused", { path: target, reason: "its name does not end in .ts or .mts" });
  const { readTools } = await import("./read-tools.js");
  const { tools, extension, sources } = readTools(file);
  const folder = dirname(resolve(target));
  const module = moduleSpecifier(folder, resolve(file)).replace(/\.[mc]?ts$/, extension);
  const source = moduleSpecifier(folder, resolve(file));
  const recipe = [source.replace(/^\.\//, ""), ...(out === undefined ? [] : ["--out", basename(target)])].join(" ");
  const header = `mcpwright compile ${recipe}`;
  const render = await createRenderer(join(packageRoot().folder, "templates"));
  const body = await format("tools.ts", render("compile/tools.ts", emitModule(tools, { header, module })));
  const text = withChecksum("compile", body);
  const before = readWrittenFile(target);
  const changed = before !== text;
  if (!check) writeWithChecksum("compile", target, text);
  const difference = {
    path: target.split(sep).join("/"),
    kind: before === undefined ? "added" : "changed",
    ...(before !== undefined && { before }),
    after: text,
  } as const;
  return {
    out: target,
    tools: tools.map(({ name }) => name),
    changed,
    diff: check && changed ? unifiedDiff([difference]) : "",
    sources,
  };
}

import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Stage } from "./stage.js";

export interface BundleRow {
  readonly name: string;
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles, minifies and gzips by name: module sources, and whole scripts of the stage. */
export async function bundlesOf(
  { folder, script }: Stage,
  texts: Readonly<Record<string, string>>,
  whole: Readonly<Record<string, string>>,
): Promise<readonly BundleRow[]> {
  const entries = [
    ...Object.entries(texts),
    ...Object.entries(whole).map(([name, path]) => [name, `import ${JSON.stringify(script(path))};`] as const),
  ];
  return Promise.all(entries.map(async ([name, text]) => ({ name, ...(await bundle(text, folder)) })));
}

async function bundle(contents: string, resolveDir: string): Promise<{ minified: number; gzipped: number }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    // Optional dependencies of fastmcp.
    external: ["effect", "sury"],
  });
  const [{ contents: text }] = outputFiles as [(typeof outputFiles)[number]];
  return { minified: text.length, gzipped: gzipSync(text, { level: 9 }).length };
}

/** The cells of a bundle's row in a report. */
export function bundleCells({ name, minified, gzipped }: BundleRow): readonly string[] {
  return [name, String(minified), String(gzipped)];
}

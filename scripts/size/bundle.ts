import { gzipSync } from "node:zlib";
import { build } from "esbuild";

export interface BundleSize {
  readonly minified: number;
  readonly gzipped: number;
}

/** Bytes of a program's bundle with all dependencies, resolved from `resolveDir`. Needs the output of `npm run build`. */
export async function bundleSize(contents: string, resolveDir: string): Promise<BundleSize> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  const [{ contents: text }] = outputFiles as [(typeof outputFiles)[number]];
  return { minified: text.length, gzipped: gzipSync(text, { level: 9 }).length };
}

import { gzipSync } from "node:zlib";
import { build } from "esbuild";

export interface BundleSize {
  readonly minified: number;
  readonly gzipped: number;
  /** The modules that the bundle contains, relative to `resolveDir`, with `/`. */
  readonly modules: readonly string[];
}

/** Bytes of a program's bundle with all dependencies, resolved from `resolveDir`. Needs the output of `npm run build`. */
export async function bundleSize(contents: string, resolveDir: string): Promise<BundleSize> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir },
    absWorkingDir: resolveDir,
    bundle: true,
    metafile: true,
    write: false,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  const [{ contents: text }] = outputFiles as [(typeof outputFiles)[number]];
  const modules = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  return { minified: text.length, gzipped: gzipSync(text, { level: 9 }).length, modules };
}

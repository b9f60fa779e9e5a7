import { build } from "esbuild";
import { expect, test } from "vitest";
import { root } from "../support/typecheck.js";

test("a server on stdio starts with four files, no other package and no module of Node", async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: {
      contents: 'import "@mcpwright/runtime/server"; import "@mcpwright/runtime/stdio";',
      resolveDir: root,
      sourcefile: "program.js",
    },
    bundle: true,
    external: ["node:*"],
    format: "esm",
    ignoreAnnotations: true,
    metafile: true,
    outdir: "unwritten",
    write: false,
  });
  const files = Object.keys(metafile.inputs).filter((file) => file !== "program.js");
  expect(files.map((file) => file.replace("runtime/dist/", "")).sort()).toEqual([
    "server.js",
    "server/core.js",
    "shared.js",
    "stdio.js",
  ]);
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const others = imports.filter(({ external, kind }) => external === true && kind === "import-statement");
  expect(others.map(({ path }) => path)).toEqual([]);
});

import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { published } from "../support/protocol.js";

/** Bytes of a program after minification and gzip. */
async function compressed(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: "js" },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const [file] = outputFiles;
  return file === undefined || file.contents.length === 0 ? 0 : gzipSync(file.contents, { level: 9 }).length;
}

/** A program that keeps all exports of the given entries whose names match. */
function keeping(fits: RegExp, entries: readonly (readonly [string, object])[]): string {
  return entries
    .map(([path, exported], at) => {
      const names = Object.keys(exported).filter((name) => fits.test(name));
      return `import { ${names.map((name) => `${name} as ${name}${at}`).join(", ")} } from "${path}";\nglobalThis.kept${at} = [${names.map((name) => `${name}${at}`).join(", ")}];`;
    })
    .join("\n");
}

const predicates = keeping(
  /^is[A-Z]/,
  published.map(({ revision, entry }) => [`@mcpwright/protocol/${revision}`, entry] as const),
);
const checks = keeping(
  /^(check|keepValid)/,
  published.map(({ revision, issues }) => [`@mcpwright/protocol/${revision}/issues`, issues] as const),
);

const newest = published.at(-1)?.revision ?? "";
const rows: readonly [string, string, number][] = [
  ["predicates of all revisions", predicates, 17_000],
  ["predicates and checks of all revisions", `${predicates}\n${checks.replaceAll("kept", "alsoKept")}`, 26_000],
  [
    "predicates of one request and its result",
    `export { isCallToolRequest, isCallToolResult } from "@mcpwright/protocol/${newest}";`,
    1_600,
  ],
  [
    "conversions between all revisions",
    'import { conversions } from "@mcpwright/protocol/conversions";\nglobalThis.kept = conversions;',
    4_000,
  ],
  [
    "the conversions of one step",
    `import { up, down } from "@mcpwright/protocol/${newest}/conversions";\nglobalThis.kept = [up, down];`,
    2_200,
  ],
  [
    "conversions that are not used",
    'import { conversions } from "@mcpwright/protocol/conversions";\nimport { upLosses } from "@mcpwright/protocol/2026-07-28/losses";',
    0,
  ],
  ["an import that is not used", `import { isTool } from "@mcpwright/protocol/${newest}";`, 0],
];

test.each(rows)("%s", async (name, program, limit) => {
  const bytes = await compressed(program);
  process.stdout.write(`${name}: ${bytes} of ${limit} bytes, compressed\n`);
  expect(bytes).toBeLessThanOrEqual(limit);
});

import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { revisions } from "@mcpwright/protocol";
import { describe, expect, test } from "vitest";
import { readGenerated } from "../support/protocol.js";
import { root } from "../support/typecheck.js";

const manifest = readGenerated("package.json") as Readonly<Record<string, unknown>>;
const entries = Object.keys(manifest["exports"] as object).filter((entry) => entry !== "./package.json");
const specifiers = entries.map((entry) => `@mcpwright/protocol${entry.slice(1)}`);

test("the package has these entries for each revision and extension, no dependencies and no side effects", () => {
  const ofEach = ["", "/client", "/server", "/issues", "/standard-schema"];
  const ofRevisions = revisions.flatMap((revision) => ofEach.map((entry) => `./${revision}${entry}`));
  const ofSteps = revisions.slice(1).flatMap((revision) => [`./${revision}/conversions`, `./${revision}/losses`]);
  const conversions = ["./conversions", "./convert", "./losses"];
  const sides = ["./client-issues", "./client-sides", "./server-issues", "./server-sides"];
  const ofExtensions = ["apps", "apps/app", "apps/host", "skills", "skills/client", "skills/server", "tasks", "tasks/client", "tasks/server"]
    .concat(["apps", "skills", "tasks"].flatMap((name) => [`${name}/issues`, `${name}/standard-schema`]))
    .map((entry) => `./extensions/${entry}`);
  const checking = ["./check-further", "./check-shape", "./checks", "./standard-schema"];
  const shared = [".", "./authorization", "./contract", "./issues", "./layer-extension", "./names", "./support", ...sides];
  expect(entries.toSorted()).toEqual([...shared, ...checking, ...conversions, ...ofRevisions, ...ofSteps, ...ofExtensions].toSorted());
  expect(manifest["sideEffects"]).toBe(false);
  expect(Object.keys(manifest).filter((field) => /dependencies/i.test(field))).toEqual([]);
});

test("importing every entry changes nothing outside of them", () => {
  const script = `
    const constructors = [Object, Array, Function, Promise, Error, String, Map];
    const roots = [globalThis, JSON, process, ...constructors, ...constructors.map(({ prototype }) => prototype)];
    const state = () => JSON.stringify([...roots.map((found) => Reflect.ownKeys(found).map(String)), process.eventNames()]);
    const before = state();
    for (const specifier of ${JSON.stringify(specifiers)}) await import(specifier);
    console.log(JSON.stringify({ same: state() === before }));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ same: true });
});

describe("bundles contain only used code", () => {
  const latest = "@mcpwright/protocol/2026-07-28";

  test.each<[string, string, number]>([
    ["one constant", `export { PROTOCOL_VERSION } from "${latest}"`, 60],
    ["one error code", `export { INVALID_PARAMS } from "${latest}"`, 60],
    ["one name", `export { TOOLS_CALL } from "@mcpwright/protocol/names"`, 60],
    ["one number of the contract", `export { CONTRACT } from "@mcpwright/protocol/contract"`, 60],
    ["the list of revisions", `export { revisions } from "@mcpwright/protocol"`, 130],
    ["negotiation", `export { negotiate } from "@mcpwright/protocol"`, 250],
    ["one small predicate", `export { isRequestId } from "${latest}"`, 200],
  ])("%s", async (what, text, limit) => {
    const { minified } = await sizeOf(text);
    process.stdout.write(`${what}: ${minified} bytes\n`);
    expect(minified).toBeGreaterThan(0);
    expect(minified).toBeLessThanOrEqual(limit);
  });

  test.each<[string, string]>([
    ["types", `import type { CallToolResult } from "${latest}"; export type Result = CallToolResult;`],
    ["types that are imported with values", `import { isTool, type Tool } from "${latest}"; export type Mine = Tool;`],
    ["a namespace of which only types are used", `import * as all from "${latest}"; export type Result = all.CallToolResult;`],
    ["unused imports", specifiers.map((specifier) => `import "${specifier}";`).join("\n")],
  ])("%s: 0 bytes", async (_, text) => {
    expect(await sizeOf(text)).toEqual({ minified: 0, gzipped: 0 });
  });

  test.each<[string, string, number]>([
    ["the params and result of tools/call", `export { isCallToolRequestParams, isCallToolResult } from "${latest}"`, 3000],
    ["the stub of tools/call", `export { callTool } from "${latest}/client"`, 3000],
    ["all exports for clients", `export * from "${latest}/client"; export { clientSide } from "${latest}"`, 8000],
    ["all exports of the revision", `export * from "${latest}"`, 12000],
  ])("%s, minified and compressed", async (what, text, limit) => {
    const { minified, gzipped } = await sizeOf(text);
    process.stdout.write(`${what}: ${minified} bytes, ${gzipped} compressed\n`);
    expect(gzipped).toBeGreaterThan(200);
    expect(gzipped).toBeLessThanOrEqual(limit);
  });
});

async function sizeOf(contents: string): Promise<{ readonly minified: number; readonly gzipped: number }> {
  const { outputFiles } = await build({
    stdin: { contents, loader: "ts", resolveDir: root },
    bundle: true,
    format: "esm",
    minify: true,
    platform: "neutral",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: text.length, gzipped: text.length === 0 ? 0 : gzipSync(text, { level: 9 }).length };
}

/**
 * Generates a typed client of the official reference server with one command, compiles it with the strictest options against
 * our packages as npm installs them, and calls the server with it.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installPinned, pinnedNode, pinnedVersion } from "./pinned.js";
import { interopFolder, modulesFolder, root } from "./interop/paths.js";
import { makeStage } from "./interop/stage.js";

const peer = "@modelcontextprotocol/server-everything";

const use = `
import assert from "node:assert/strict";
import { Client } from "@mcpwright/runtime/client";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import * as everything from "./everything.js";

const [, , command = "", ...args] = process.argv;
const client = new Client({ name: "bound", version: "1" });
await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
try {
  const weather: everything.GetStructuredContentOutput = await everything.getStructuredContent(client, { location: "Chicago" });
  const degrees: number = weather.temperature;
  assert.equal(typeof degrees, "number");
  const sum = await everything.getSum(client, { a: 1, b: 2 });
  assert.match(JSON.stringify(sum.content), /3/);
  const echoed = await everything.echo(client, { message: "hello" });
  assert.match(JSON.stringify(echoed.content), /hello/);
  assert.ok((await everything.getTinyImage(client)).content.some(({ type }) => type === "image"));
  const prompt = await everything.argsPrompt(client, { city: "Oslo" });
  assert.match(JSON.stringify(prompt.messages), /Oslo/);
  const read = await everything.readDynamicTextResource(client, { resourceId: "1" });
  assert.equal(read.contents.length, 1);
  const [uri = ""] = Object.values(everything.resources);
  assert.ok((await client.readResource({ uri })).contents.length > 0);
  assert.equal(everything.isGetSumInput({ a: 1, b: 2 }), true);
  assert.equal(everything.checkGetSumInput({ a: "1" }).length, 2);
  // @ts-expect-error the place does not exist
  await everything.getStructuredContent(client, { location: "Atlantis" }).catch((error: unknown) => {
    assert.ok(error instanceof everything.ToolError);
  });
} finally {
  await client.close();
}
`;

const options = {
  target: "es2023",
  module: "nodenext",
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
};

installPinned(interopFolder);
const stage = await makeStage();
try {
  const folder = dirname(stage.program("use"));
  const server = [pinnedNode(interopFolder), join(modulesFolder, peer, "dist/index.js")];
  const node = (...args: readonly string[]): string =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const mcpwright = (...args: readonly string[]): string => node(join(root, "dist/cli.js"), ...args, "--", ...server);
  const start = performance.now();
  const told = mcpwright("bind", "--out", "everything.ts");
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  writeFileSync(join(folder, "use.ts"), use);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["use.ts", "everything.ts"] }),
  );
  node(join(root, "node_modules/typescript/bin/tsc"));
  node("use.js", ...server);
  mcpwright("bind", "--check", "--out", "everything.ts");
  mcpwright("inspect", "--call", "get-sum", "--arg", "a=1", "--arg", "b=2", "--json");
  console.log(
    `${peer} ${pinnedVersion(interopFolder, peer) ?? ""} in ${seconds} s: ${told.trim()}; it compiles and calls`,
  );
} finally {
  stage.remove();
}

/** A protocol that a user generates from a new revision, with a method that no published revision has, works with the packed runtime. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { cli, root } from "../cli/command-line.js";
import { put } from "../generator/shared/files/sandbox.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { compile } from "./compile.js";

const folder = temporaryFolder("own-protocol");

const greeting = `
export interface GreetRequest extends JSONRPCRequest {
  method: "greetings/greet";
  params: GreetRequestParams;
}
export interface GreetRequestParams extends RequestParams {
  whom: string;
}
export interface GreetResult extends Result {
  words: string;
}
`;

const main = `
import { InMemoryTransport } from "@mcpwright/runtime";
import { Client } from "@mcpwright/runtime/client/core";
import { Server } from "@mcpwright/runtime/server/core";
import { clientSide } from "./mcp/2031-01-01/index.js";
import { serverSide } from "./mcp/2031-01-01/index.js";

const server = new Server({ name: "greeter", version: "1" }, { revisions: [serverSide] });
server.handle({
  "greetings/greet": ({ whom }) => ({ words: "hello " + whom }),
});
const client = new Client({ name: "guest", version: "1" }, { revisions: [clientSide] });
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);
await client.connect(near);
const { words } = await client.request("greetings/greet", { whom: "you" });
const wrong = await client.connection.request("greetings/greet", { whom: 5 }).catch((error: unknown) => (error as { code: number }).code);
await client.close();
// Exported, so that only the importing program writes to the output.
export default JSON.stringify([client.info.name, words, wrong]);
`;

beforeAll(async () => {
  const known = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8");
  const schema =
    known.replaceAll('"2026-07-28"', '"2031-01-01"').replace("export type ClientRequest =\n", "$&  | GreetRequest\n") +
    greeting;
  const overlay = {
    extends: "2026-07-28",
    methods: { client: { "greetings/greet": { capability: null, spec: "server/greetings" } } },
  };
  put(folder, {
    "package.json": JSON.stringify({ private: true, type: "module" }),
    "schema/schema.ts": schema,
    "schema/overlay.json": JSON.stringify(overlay),
    "main.ts": main,
  });
  const { err } = await cli("generate", "--schema", join(folder, "schema/schema.ts"), "--out", join(folder, "mcp"));
  expect(existsSync(join(folder, "mcp/2031-01-01/methods.ts")), err).toBe(true);
  const pack = (name: string): string => {
    const printed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      cwd: join(root, name),
      stdio: ["ignore", "pipe", "ignore"],
    });
    return join(folder, (JSON.parse(String(printed)) as [{ filename: string }])[0].filename);
  };
  const tarballs = ["generated", "runtime"].map(pack);
  execFileSync("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...tarballs], {
    cwd: folder,
    stdio: "ignore",
  });
}, 120_000);

test("compiles against the packed runtime, and client and server use it", { timeout: 120_000 }, async () => {
  expect(await compile(folder)).toBe("");
  const program = `console.log((await import(${JSON.stringify(join(folder, "main.ts"))})).default)`;
  const printed = execFileSync(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", program],
    {
      cwd: folder,
    },
  );
  expect(JSON.parse(String(printed))).toEqual(["guest", "hello you", -32602]);
});

test("does not compile with generated code of another contract", { timeout: 120_000 }, async () => {
  const file = join(folder, "mcp/contract.ts");
  const contract = readFileSync(file, "utf8");
  const number = Number(/CONTRACT = (\d+)/.exec(contract)?.[1]);
  const other = number + 1;
  writeFileSync(file, contract.replace(`CONTRACT = ${number}`, `CONTRACT = ${other}`));
  expect(await compile(folder)).toContain(`Type '${other}' is not assignable to type '${number}'`);
  writeFileSync(file, contract);
});

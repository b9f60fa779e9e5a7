/**
 * What is broken around mcpwright, and what it says about it on the command line: what, where, and what to do.
 * Covered elsewhere: all failures of servers (test/generator/shared/sessions/failures.test.ts), disks that are full or fail half-way
 * (test/generator/pipeline/write, test/generator/commands/new), readers that go away (process.test.ts, live.test.ts), a port that is taken
 * (test/runtime/http-server/closing.test.ts).
 */
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { nodeProblem, oldestNode } from "../../generator/cli/node-version.js";
import { httpServer, script, weatherCommand, weatherUrl } from "../generator/shared/sessions/places.js";
import { sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { childCli, cli, exitCode, root } from "./command-line.js";

const tools = `/**
 * Adds.
 * @tool
 */
export async function add({ a, b }: { a: number; b: number }): Promise<{ sum: number }> {
  return { sum: a + b };
}
`;

/** A folder with a file, a folder that is not empty, a configuration that is none, tools, and the schema of a later revision. */
function place(): string {
  const folder = sandbox();
  writeFileSync(join(folder, "file"), "mine\n");
  writeFileSync(join(folder, "bad.json"), "{ mcpServers }");
  writeFileSync(join(folder, "tools.ts"), tools);
  const newest = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8");
  writeFileSync(join(folder, "newer.ts"), newest.replaceAll("2026-07-28", "2030-01-01"));
  mkdirSync(join(folder, "full/src"), { recursive: true });
  mkdirSync(join(folder, "folder.ts"));
  writeFileSync(join(folder, "full/package.json"), "{}");
  return folder;
}

type Line = (folder: string) => readonly string[] | Promise<readonly string[]>;

const table: readonly (readonly [what: string, line: Line, id: string, does: RegExp])[] = [
  ["a missing program", () => ["inspect", "no-such-program-1"], "server-command-not-found", /in PATH/],
  [
    "a server that prints to stdout",
    () => ["inspect", "--", ...script("console.log('Server is up')")],
    "server-stdout-broken",
    /"Server is up" is not valid JSON\n {2}Only MCP messages may be written to stdout; logs belong on stderr/,
  ],
  [
    "a URL that is not an endpoint",
    async () => ["inspect", await httpServer((_request, response) => response.writeHead(404).end("Not Found"))],
    "server-wrong-url",
    /responded with 404, "Not Found"\n {2}Pass the URL of the endpoint/,
  ],
  [
    "https to an HTTP port",
    async () => ["inspect", (await weatherUrl()).replace("http:", "https:")],
    "server-tls",
    /try http:\/\/ instead of https:\/\//,
  ],
  [
    "a server that requires authorization",
    async () => ["inspect", await httpServer((_request, response) => response.writeHead(401).end())],
    "login-required",
    /requires a log-in\n {2}Run mcpwright login http:\S+ on a terminal, or pass a token with --token/,
  ],
  [
    "no revision in common",
    () => ["inspect", "--revision", "2026-07-28", "--", ...weatherCommand({ revisions: ["2025-11-25"] })],
    "server-no-common-revision",
    /Omit --revision, or choose a revision that the server supports/,
  ],
  ["a missing configuration", (folder) => ["inspect", join(folder, "no.json")], "config-not-readable", /ENOENT/],
  [
    "a configuration that is not JSON",
    (folder) => ["inspect", join(folder, "bad.json")],
    "config-malformed",
    /Example of a configuration/,
  ],
  [
    "a target that holds files of others",
    (folder) => ["generate", "2024-11-05", "--out", join(folder, "full")],
    "output-foreign",
    /package\.json, src\n {2}Choose an empty folder/,
  ],
  ["a project in the way", (folder) => ["new", join(folder, "full"), "--yes"], "skeleton-conflict", /package\.json/],
  [
    "a file in place of a folder",
    (folder) => ["generate", "2024-11-05", "--out", join(folder, "file")],
    "output-is-file",
    /Choose another folder with --out/,
  ],
  ["the same for a project", (folder) => ["new", join(folder, "file"), "--yes"], "skeleton-folder-is-file", /another/],
  [
    "output that cannot be written",
    (folder) => ["generate", "2024-11-05", "--out", join(folder, "file/out")],
    "output-not-writable",
    /ENOTDIR: not a directory\n {2}Nothing was changed\. Check that the folder exists/,
  ],
  [
    "a report that cannot be written",
    (folder) => ["diff", "2024-11-05", "2025-03-26", "--out", join(folder, "file/report.md")],
    "output-not-writable",
    /ENOTDIR/,
  ],
  [
    "tools that cannot be written",
    (folder) => ["compile", join(folder, "tools.ts"), "--out", join(folder, "file/tools.mcp.ts")],
    "file-not-readable",
    /ENOTDIR/,
  ],
  [
    "a client that cannot be written",
    (folder) => ["bind", "--out", join(folder, "file/client.ts"), "--", ...weatherCommand()],
    "file-not-readable",
    /ENOTDIR: not a directory\n {2}Choose another file with --out/,
  ],
  [
    "a trace that cannot be written",
    (folder) => ["inspect", "--trace", join(folder, "none/t.jsonl"), "--", ...weatherCommand()],
    "trace-not-writable",
    /another file/,
  ],
  ["tools that cannot be read", (folder) => ["compile", join(folder, "folder.ts")], "input-not-found", /EISDIR/],
  ["a missing recording", (folder) => ["validate", join(folder, "no.jsonl")], "input-not-found", /ENOENT/],
];
const rows = table.map(([what, line, id, does]) => ({ what, line, id, does }));

test.each(rows)("$what", async ({ line, id, does }) => {
  const folder = place();
  const before = treeOf(folder);
  const { code, out, err } = await cli(...(await line(folder)));
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(`error[${id}]: `);
  expect(err).toMatch(does);
  expect(treeOf(folder)).toEqual(before);
});

describe("Node that is too old", () => {
  test("the oldest one is that of package.json", () => {
    const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${oldestNode}`);
  });

  test.each([
    ["16.20.2", false],
    ["20.9.0", false],
    ["20.18.3", false],
    ["20.19.0", true],
    ["20.100.1", true],
    ["22.0.0", true],
    ["100.0.0-nightly", true],
  ])("%s", (version, isFine) => {
    expect(nodeProblem(version) === undefined).toBe(isFine);
  });

  test("reports the required version", async () => {
    const preload = module('Object.defineProperty(process.versions, "node", { value: "16.20.2" });');
    const outcome = await childCli(["--help"], { program: "bundle", env: { NODE_OPTIONS: `--import=${preload}` } });
    expect(outcome).toMatchObject({ code: 2, out: "" });
    expect(outcome.err).toMatch(
      /^mcpwright requires Node 20\.19 or newer; this is 16\.20\.2\.\nInstall a newer one from /,
    );
  });

  test("the entry imports one file without imports before anything else", () => {
    const first = readFileSync(join(root, "generator/cli.ts"), "utf8");
    const imports = [...first.matchAll(/^import .* from "(.*)";$/gm)].map((match) => match[1]);
    expect(imports).toEqual(["./cli/node-version.js"]);
    expect(readFileSync(join(root, "generator/cli/node-version.ts"), "utf8")).not.toMatch(/^import/m);
  });
});

/** Ctrl-C comes right after the first write below `PLACE`. */
const interrupting = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const write = fs.writeFileSync;
let isHit = false;
fs.writeFileSync = (path, ...rest) => {
  write(path, ...rest);
  if (isHit || !String(path).startsWith(process.env.PLACE)) return;
  isHit = true;
  process.kill(process.pid, "SIGINT");
};
syncBuiltinESMExports();
`;

describe.skipIf(process.platform === "win32")("Ctrl-C in the middle of writing", { timeout: 60_000 }, () => {
  test.each<readonly [verb: string, line: Line, written: readonly string[]]>([
    ["generate", (folder) => ["2024-11-05", "--out", join(folder, "out")], []],
    ["new", (folder) => [join(folder, "out"), "--yes"], []],
    [
      "vendor",
      (folder) => [
        "2030-01-01",
        "--from",
        join(folder, "newer.ts"),
        "--to",
        join(folder, "s"),
        "--out",
        join(folder, "g"),
      ],
      [],
    ],
    [
      "vendor",
      (folder) => [
        ...["--extension", join(root, "test/generator/pipeline/fixtures/rank")],
        ...["--to", join(folder, "s"), "--out", join(folder, "g")],
      ],
      [],
    ],
    // One file is there whole, or not at all.
    ["compile", (folder) => [join(folder, "tools.ts")], ["tools.mcp.ts"]],
    ["diff", (folder) => ["2024-11-05", "2025-03-26", "--out", join(folder, "diff.md")], ["diff.md"]],
    ["bind", (folder) => ["--out", join(folder, "client.ts"), "--", ...weatherCommand()], ["client.ts"]],
  ])("%s ends with 130 and leaves nothing half-written", async (verb, line, written) => {
    const folder = place();
    const before = Object.keys(treeOf(folder));
    const env = { PLACE: folder, NODE_OPTIONS: `--import=${module(interrupting)}` };
    const { code, err } = await childCli([verb, ...(await line(folder))], { env });
    expect({ code, err }).toEqual({ code: 130, err: expect.not.stringContaining("rror") as string });
    expect(Object.keys(treeOf(folder)).sort()).toEqual([...before, ...written].sort());
    for (const name of written) expect(readFileSync(join(folder, name), "utf8")).toMatch(/\S\n$/);
  });
});

test.skipIf(!existsSync("/dev/full"))("output that goes to a full disk is an error, without a stack", async () => {
  const args = ["--import", "tsx", join(root, "generator/cli.ts"), "revisions"];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", openSync("/dev/full", "w"), "pipe"] });
  let err = "";
  child.stderr?.on("data", (chunk) => (err += String(chunk)));
  expect(await exitCode(child)).toBe(1);
  expect(err).toBe("error: cannot write the output: ENOSPC: no space left on device, write\n");
});

function module(code: string): string {
  const path = join(sandbox(), "preload.mjs");
  writeFileSync(path, code);
  return pathToFileURL(path).href;
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { weatherCommand } from "../generator/shared/sessions/places.js";
import { cli } from "./command-line.js";

test.each([
  [["--check", "--dry-run"], "Use only one of --check and --dry-run."],
  [["--tools", "--name", "a/b"], "--name applies to server.json, not to --tools."],
  [["--", "node"], "A command after --, --no-resources and --timeout require --tools."],
  [["--no-resources"], "require --tools."],
  [["--tools", "--url", "https://a.org", "--", "node"], "With --tools, use one --url or one command after --."],
  [["--mcpb", "https://a.org/x.mcpb"], "Use --mcpb and --mcpb-file together."],
  [["--url", "ftp://a.org"], "--url must be a URL with http:// or https://."],
  [["--http", "localhost"], "--http must be a URL with http:// or https://."],
  [["--env", "A", "--env", "A"], "The variable A is named twice."],
])("wrong usage: manifest %j", async (args, message) => {
  const { code, out, err } = await cli("manifest", ...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(message);
});

test("the difference is printed, and --check exits with 1 until the file is up to date", async () => {
  const folder = sandbox();
  const facts = { name: "weather", mcpName: "io.github.ada/weather", version: "1.0.0", description: "Weather" };
  put(folder, { "package.json": JSON.stringify(facts) });
  const check = await cli("manifest", folder, "--check");
  expect(check).toMatchObject({ code: 1, err: "" });
  expect(check.out.replaceAll(folder, "OUT")).toMatch(
    /^--- \/dev\/null\n\+\+\+ b\/server\.json\n[\s\S]*\nOUT\/server\.json is out of date\n$/,
  );
  const written = await cli("manifest", folder);
  expect(written.code).toBe(0);
  expect(written.out).toMatch(/server\.json was written\n$/);
  expect(await cli("manifest", folder, "--check")).toEqual({
    code: 0,
    out: `${join(folder, "server.json")} is up to date\n`,
    err: "",
  });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...facts, version: "1.1.0" }));
  expect((await cli("manifest", folder, "--check")).code).toBe(1);
});

test("--tools locks what the command lists", { timeout: 60_000 }, async () => {
  const folder = sandbox();
  const server = (later: boolean) => ["--", process.execPath, ...weatherCommand({ later })];
  expect((await cli("manifest", folder, "--tools", ...server(false))).out).toMatch(/tools\.json was written\n$/);
  expect((await cli("manifest", folder, "--tools", "--check", ...server(false))).code).toBe(0);
  const { code, out } = await cli("manifest", folder, "--tools", "--check", ...server(true));
  expect(code).toBe(1);
  expect(out).toMatch(/^server "weather"\n[\s\S]*tools\.json is out of date\n$/);
});

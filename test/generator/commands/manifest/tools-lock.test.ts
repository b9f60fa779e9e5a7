/** tools.json is a lock of what a server lists, in the format of the lock of a gateway. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolsLock, type ToolsLockOptions } from "../../../../generator/commands/manifest/manifest.js";
import { writeToolsLock } from "../../../../generator/commands/manifest/write-tools-lock.js";
import { parseLock } from "../../../../runtime/src/gateway.js";
import { weatherCommand, weatherUrl } from "../../shared/sessions/places.js";
import { fullDisk } from "../../shared/files/broken-disk.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";

test("the server of the project is locked and compared", { timeout: 60_000 }, async () => {
  const folder = sandbox();
  put(folder, { "package.json": '{ "main": "weather.mjs" }' });
  copyFileSync(weatherCommand()[0] ?? "", join(folder, "weather.mjs"));
  const result = await toolsLock({ folder });
  expect(result).toMatchObject({ path: join(folder, "tools.json"), action: "add", isWritten: true });
  const text = readFileSync(join(folder, "tools.json"), "utf8");
  const { servers } = await parseLock(text);
  expect(servers.map(({ name }) => name)).toEqual(["weather"]);
  const kinds = new Set(servers[0]?.items.map(({ kind }) => kind));
  expect([...kinds]).toEqual(["instructions", "tool", "prompt", "resource", "template"]);

  expect(await toolsLock({ folder, isCheck: true })).toMatchObject({ action: "keep", difference: "" });
  expect(await toolsLock({ folder })).toMatchObject({ action: "keep", isWritten: false });

  const later = { folder, command: [process.execPath, ...weatherCommand({ later: true })] };
  const { action, isWritten, difference } = await toolsLock({ ...later, isCheck: true });
  expect({ action, isWritten }).toEqual({ action: "change", isWritten: false });
  expect(difference).toMatch(/^server "weather"\n/);
  expect(difference).toMatch(/^ {2}changed: tool "/m);
  expect(difference).toMatch(/^ {2}added: tool "/m);
  expect(difference).toMatch(/^ {2}removed: tool "/m);
  expect(readFileSync(join(folder, "tools.json"), "utf8")).toBe(text);
  expect(await toolsLock(later)).toMatchObject({ isWritten: true });
  expect(await toolsLock({ ...later, isCheck: true })).toMatchObject({ action: "keep" });
});

test("a server at a URL, without its resources, gives the same lock twice", { timeout: 60_000 }, async () => {
  const folder = sandbox();
  const url = await weatherUrl();
  const texts = [];
  for (const out of ["a.json", "b.json"]) {
    await toolsLock({ url, out: join(folder, out), hasResources: false });
    texts.push(readFileSync(join(folder, out), "utf8"));
  }
  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).not.toContain('"kind": "resource"');
});

test.each<[string, object | undefined, ToolsLockOptions, unknown]>([
  ["no project", undefined, {}, expect.stringMatching(/^manifest-no-project: OUT\/package.json cannot be read/)],
  ["no entry", {}, {}, "manifest-no-entry: OUT/package.json does not say which file starts the server"],
  [
    "no build",
    { main: "build/main.js" },
    {},
    "manifest-not-built: OUT/build/main.js, which starts the server, does not exist",
  ],
  ["no lock", { main: "x.mjs" }, { isCheck: true }, "manifest-lock-missing: OUT/tools.json does not exist"],
  [
    "a server that crashes",
    { main: "x.mjs" },
    {},
    expect.stringMatching(/^server-exited: .*ended with code 1 before it responded; it wrote: .*KEY is missing/),
  ],
])("%s is an error, and nothing is written", { timeout: 60_000 }, async (_name, json, options, message) => {
  const folder = sandbox();
  put(folder, { ...(json && { "package.json": JSON.stringify(json), "x.mjs": 'throw new Error("KEY is missing");' }) });
  const before = treeOf(folder);
  expect(await refusal(folder, toolsLock({ folder, ...options }))).toEqual([message]);
  expect(treeOf(folder)).toEqual(before);
});

test(
  "a lock that was changed by hand is refused by --check, and written again otherwise",
  { timeout: 60_000 },
  async () => {
    const folder = sandbox();
    const path = join(folder, "tools.json");
    const options = { folder, command: [process.execPath, ...weatherCommand()] };
    await toolsLock(options);
    const good = readFileSync(path, "utf8");
    const bad = good.replace("Ask for cities.", "Ask for more.");
    writeFileSync(path, bad);
    expect(await refusal(folder, toolsLock({ ...options, isCheck: true }))).toEqual([
      'manifest-lock-invalid: OUT/tools.json cannot be used: the lock is invalid: the digest of instructions "" of server "weather" does not belong to its value, so the file was changed; review the server, and write it again',
    ]);
    expect(await refusal(folder, writeToolsLock(options, fullDisk(1)))).toEqual([
      "output-not-writable: cannot write OUT/tools.json: ENOSPC: no space left on device",
    ]);
    expect(readFileSync(path, "utf8")).toBe(bad);
    const { findings, isWritten } = await toolsLock(options);
    expect({ isWritten, ids: findings.map(({ id, severity }) => `${severity} ${id}`) }).toEqual({
      isWritten: true,
      ids: ["finding manifest-lock-invalid"],
    });
    expect(readFileSync(path, "utf8")).toBe(good);
  },
);

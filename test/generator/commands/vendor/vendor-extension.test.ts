import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTypeScript } from "../../../../generator/pipeline/read/typescript.js";
import { generate } from "../../../../generator/pipeline/generate.js";
import { realDisk } from "../../../../generator/shared/files/disk.js";
import type { ExtensionPins } from "../../../../generator/shared/fidelity/pins.js";
import { packageRoot } from "../../../../generator/shared/package-root.js";
import { vendorExtension } from "../../../../generator/commands/vendor/vendor-extension.js";
import { extensionPinOf } from "../../../../generator/commands/vendor/extension-pin.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { edit, serve } from "./upstream.js";

const root = packageRoot().folder;
const rank = readFileSync(join(root, "test/generator/pipeline/fixtures/rank/schema.ts"), "utf8");
const id = "com.example/rank";
const over = "2026-07-28";

function paths(folder = sandbox()) {
  return { to: join(folder, "schema"), out: join(folder, "out"), folder };
}

/** `id: message` of findings, sorted. */
function told(findings: readonly { readonly id: string; readonly message: string }[]): readonly string[] {
  return findings.map((finding) => `${finding.id}: ${finding.message}`).sort();
}

describe("an extension without an overlay", () => {
  const { folder, to, out } = paths();
  const file = "extensions/rank/draft/schema.ts";
  const overlayFile = "extensions/rank/draft/overlay.json";
  const run = (text = rank) => {
    put(folder, { "from/rank.ts": text });
    return vendorExtension({ extension: join(folder, "from/rank.ts"), id, over, to, out });
  };

  test("gets a first overlay, with a finding for each fact that it assumes or leaves open", async () => {
    const { findings, ...result } = await run();
    expect(result).toMatchObject({
      extension: id,
      version: "draft",
      file: join(to, file),
      overlay: join(to, overlayFile),
      overlayFrom: "schema",
      pinnedBy: "first sight",
      revisions: [],
    });
    expect(result.changes).toBeUndefined();
    expect(told(findings)).toEqual([
      "extension-fact-assumed: the new overlay assumes that the client declares the settings RankSettings",
      "extension-fact-assumed: the new overlay assumes that the client sends the requests tools/rank, rank/preferences",
      "extension-fact-assumed: the new overlay assumes that the server declares the settings RankSettings",
      "extension-fact-assumed: the new overlay assumes that the server sends the notifications notifications/rank",
      'extension-fact-open: the new overlay does not state which methods can have the result RankedResult (resultType "ranked")',
    ]);
    const stored = treeOf(to);
    expect(Object.keys(stored)).toEqual(["extensions/pins.json", overlayFile, file]);
    expect(stored[file]).toBe(rank);
    expect(JSON.parse(stored[overlayFile] ?? "")).toEqual({
      id,
      over: [over],
      settings: { client: "RankSettings", server: "RankSettings" },
      requests: {
        client: {
          "tools/rank": { type: "RankRequest" },
          "rank/preferences": { type: "PreferencesRequest" },
        },
      },
      notifications: { server: { "notifications/rank": { type: "RankChangedNotification" } } },
    });
    // Each position is that of the fact, in the files that are there now.
    const lines = findings.map(({ span }) => (treeOf(folder)[span?.file.slice(folder.length + 1) ?? ""] ?? "").split("\n")[(span?.line ?? 0) - 1]); // prettier-ignore
    expect(lines.map((line) => line?.trim())).toEqual([
      '"client": "RankSettings",',
      '"server": "RankSettings"',
      '"client": {',
      '"server": {',
      "export interface RankedResult extends Result {",
    ]);
    expect(JSON.stringify(treeOf(out))).not.toMatch(/@see *\\n/);
  });

  test("is accepted by generate, and gives the same files", async () => {
    const before = treeOf(out);
    const extension = join(to, "extensions/rank/draft");
    await generate({ extension, over, out });
    expect(treeOf(out)).toEqual(before);
  });

  test("again is the same, without findings about an overlay that was there", async () => {
    const before = treeOf(folder);
    const { findings, overlayFrom, pinnedBy } = await run();
    expect({ findings, overlayFrom, pinnedBy }).toEqual({ findings: [], overlayFrom: "folder", pinnedBy: "folder" });
    expect(treeOf(folder)).toEqual(before);
  });

  test("that has changed is updated and reported, and the overlay of the user is kept", async () => {
    const overlay = readFileSync(join(root, "test/generator/pipeline/fixtures/rank/overlay.json"), "utf8");
    put(to, { [overlayFile]: overlay });
    const changed = edit(rank, ["place: number;", "place: string;"], ["maxTools?", "most?"]);
    const result = await run(`${changed}\nexport interface Added {}\n`);
    expect(result).toMatchObject({
      findings: [],
      overlayFrom: "folder",
      pinnedBy: "update",
      changes: "changed are Added (new), RankSettings, RankedResult",
    });
    const stored = treeOf(to);
    expect(stored[overlayFile]).toBe(overlay);
    expect(stored[file]).toContain("place: string;");
    expect(treeOf(out)["extensions/rank/types.ts"]).toContain("place: string;");
    const prose = await run(`// The end.\n${changed}\nexport interface Added {}\n`);
    expect(prose.changes).toBe("no definition changed, but other text");
    expect((await run()).changes).toBe("changed are Added (gone), RankSettings, RankedResult");
  });

  test("is not updated when the overlay does not fit any more", async () => {
    const before = treeOf(folder);
    expect(await refusal(folder, run(rank.replaceAll("RankFilter", "OtherFilter")))).toEqual([
      `extension-type-missing: the overlay of ${id} names the type RankFilter, which the schema does not declare or use`,
    ]);
    put(folder, { "from/rank.ts": rank });
    expect(treeOf(folder)).toEqual(before);
  });

  test("that was edited is not overwritten", async () => {
    put(to, { [file]: `${rank}\n// mine\n` });
    expect(await refusal(folder, run())).toEqual([`vendor-foreign: OUT/schema/${file} differs from the vendored file`]);
    put(to, { [file]: rank });
  });

  test.each(["write", "copy", "rename"] as const)("is left as it was when the disk fails to %s", async (operation) => {
    put(folder, { "from/rank.ts": `${rank}// other\n` });
    const before = treeOf(folder);
    const full = (): never => {
      throw Object.assign(new Error("ENOSPC: full"), { code: "ENOSPC", syscall: operation });
    };
    const given = { extension: join(folder, "from/rank.ts"), id, over, to, out };
    const [refused] = (await refusal(folder, vendorExtension(given, { ...realDisk, [operation]: full }))) ?? [];
    expect(refused).toMatch(/^output-not-writable: cannot write OUT\/schema.*: ENOSPC: full/);
    expect(treeOf(folder)).toEqual(before);
  });

  test("that is missing is put back", async () => {
    await run();
    const before = treeOf(folder);
    rmSync(join(to, file));
    await run();
    expect(treeOf(folder)).toEqual(before);
  });
});

test("the overlay beside a schema is copied, and gives the same code as generate", async () => {
  const { to, out, folder } = paths();
  const extension = join(root, "test/generator/pipeline/fixtures/rank");
  const { findings, overlayFrom } = await vendorExtension({ extension, to, out });
  expect({ findings, overlayFrom }).toEqual({ findings: [], overlayFrom: "beside" });
  expect(treeOf(to)["extensions/rank/draft/overlay.json"]).toBe(readFileSync(join(extension, "overlay.json"), "utf8"));
  const ours = join(folder, "ours");
  await generate({ extension, out: ours });
  expect(treeOf(out)).toEqual(treeOf(ours));
});

test("what a schema states itself is not assumed", async () => {
  const { to, out, folder } = paths();
  const stated = `
    export const EXTENSION_ID = "com.example/rank";
    export type ClientRequest = RankRequest;
    export type ServerRequest = PreferencesRequest;
    export type ServerNotification = RankChangedNotification;
  `;
  put(folder, { "draft/schema.ts": `${rank.replace("RankSettings", "Unused")}${stated}` });
  const { findings, extension } = await vendorExtension({ extension: join(folder, "draft"), over, to, out });
  expect(extension).toBe(id);
  expect(told(findings)).toEqual([
    'extension-fact-open: the new overlay does not state which methods can have the result RankedResult (resultType "ranked")',
  ]);
  expect(JSON.parse(treeOf(to)["extensions/rank/draft/overlay.json"] ?? "")).toEqual({ id, over: [over] });
  expect(treeOf(out)["extensions/rank/server.ts"]).toContain("preferences");
});

test("a constant of the revision gets another name, and a request without result has none of its own", async () => {
  const { to, out, folder } = paths();
  put(folder, {
    "2027-01-01/spec.types.d.ts": `
      /** The schema of com.example/side-panel, beside https://example.com/com.example/other. */
      export declare const LATEST_PROTOCOL_VERSION = "2027-02-02";
      export declare const ORDER_META_KEY = "com.example/order";
      export interface PanelClientCapabilities { sizes?: number[] }
      export interface PanelOpenRequest { method: "panel/open"; params: { url: string } }
      export interface PanelClosedNotification { method: "ui/notifications/closed"; params: {} }
      export interface PanelPingRequest { method: "tools/call" }
    `,
  });
  const { findings, version, file } = await vendorExtension({ extension: join(folder, "2027-01-01/spec.types.d.ts"), to, out }); // prettier-ignore
  expect({ version, file }).toEqual({
    version: "2027-02-02",
    file: join(to, "extensions/side-panel/2027-02-02/schema.ts"),
  });
  expect(told(findings).map((line) => line.replace(/: the new overlay (assumes|does not state)/, ""))).toEqual([
    "extension-fact-assumed that the client declares the settings PanelClientCapabilities",
    "extension-fact-assumed that the client sends the requests panel/open",
    "extension-fact-assumed that the extension is laid over 2026-07-28",
    "extension-fact-assumed that the result of panel/open has no members",
    "extension-fact-assumed that the server sends the notifications ui/notifications/closed",
    "extension-fact-assumed the name SIDE_PANEL_LATEST_PROTOCOL_VERSION for LATEST_PROTOCOL_VERSION, because 2026-07-28 has one of that name",
    "extension-fact-open the message PanelPingRequest, because tools/call is a method of 2026-07-28",
  ]);
  expect(treeOf(out)["extensions/side-panel/index.ts"]).toBeDefined();
});

test("a schema.json is stored under its name, and takes the place of a schema.ts", async () => {
  const { to, out, folder } = paths();
  put(folder, { "a.ts": "export interface Box { size: number }\n" });
  await vendorExtension({ extension: join(folder, "a.ts"), id: "com.example/box", to, out });
  const definitions = { Box: { type: "object", properties: { size: { type: "string" } }, required: ["size"] } };
  put(folder, { "a.json": JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", $defs: definitions }) }); // prettier-ignore
  const result = await vendorExtension({ extension: join(folder, "a.json"), id: "com.example/box", to, out });
  expect(result).toMatchObject({ changes: "changed are Box", findings: [] });
  expect(Object.keys(treeOf(to))).toEqual([
    "extensions/box/draft/overlay.json",
    "extensions/box/draft/schema.json",
    "extensions/pins.json",
  ]);
  expect(treeOf(to)["extensions/pins.json"]).toMatch(/"Box": \{ "json": "\w{16}" \}/);
  await generate({ extension: join(to, "extensions/box/draft"), over, out });
  expect(treeOf(out)["extensions/box/types.ts"]).toContain("size: string");
});

describe("an extension that mcpwright knows", () => {
  const tasks = "io.modelcontextprotocol/tasks";
  const ours = readFileSync(join(root, "schema/extensions/tasks/draft/schema.ts"), "utf8");
  const official = ours.replaceAll("/**", "/**\n * The words of its authors.\n *");

  function pinsFor(source: string, text: string): ExtensionPins {
    const { definitions, "schema.ts": sha = "" } = extensionPinOf(text, readTypeScript(text, "schema.ts"), undefined);
    return { "tasks/draft": { source, "schema.ts": sha, definitions: definitions as Record<string, { ts: string }>, lossy: {} } }; // prettier-ignore
  }

  test("is fetched from where it was published, and checked against its pin", async () => {
    const { to, out } = paths();
    const asked: (string | undefined)[] = [];
    const base = await serve((request, response) => {
      asked.push(request.url);
      response.end(official);
    });
    const source = `${base}/draft/schema.ts`;
    const result = await vendorExtension({ extension: tasks, to, out, pins: pinsFor(source, official) });
    expect(asked).toEqual(["/draft/schema.ts"]);
    expect(result).toMatchObject({
      findings: [],
      pinnedBy: "package",
      overlayFrom: "package",
      source,
      version: "draft",
    });
    const stored = treeOf(to);
    expect(stored["extensions/tasks/draft/schema.ts"]).toBe(official);
    expect(JSON.parse(stored["extensions/pins.json"] ?? "")).toMatchObject({ "tasks/draft": { source } });
    expect(stored["extensions/tasks/draft/overlay.json"]).toContain('"taskIds"');
  });

  test("is refused when the published file is another one", async () => {
    const { to, out, folder } = paths();
    const base = await serve((_, response) => response.end(official.replace("ttlMs", "ttl")));
    const pins = pinsFor(`${base}/draft/schema.ts`, official);
    expect(await refusal(folder, vendorExtension({ extension: tasks, to, out, pins }))).toEqual([
      `pin-mismatch: ${base}/draft/schema.ts differs from the tasks/draft that mcpwright pins: changed are Task`,
    ]);
    expect(Object.keys(treeOf(folder))).toEqual([]);
  });

  test("gets mcpwright's overlay when the user passes a file of it, without the texts that recognize it", async () => {
    const { to, out, folder } = paths();
    put(folder, { "spec.types.ts": `// github.com/modelcontextprotocol/ext-apps/\n${readFileSync(join(root, "schema/extensions/apps/2026-01-26/schema.ts"), "utf8")}` }); // prettier-ignore
    const result = await vendorExtension({ extension: join(folder, "spec.types.ts"), to, out });
    expect(result).toMatchObject({
      extension: "io.modelcontextprotocol/ui",
      version: "2026-01-26",
      overlayFrom: "package",
    });
    expect(treeOf(to)["extensions/apps/2026-01-26/overlay.json"]).not.toContain("recognizedBy");
  });
});

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { generate } from "../../../../generator/pipeline/generate.js";
import { schemaFolder } from "../../../../generator/shared/sources/schema-folder.js";
import { vendor } from "../../../../generator/commands/vendor/vendor.js";
import { compile } from "../../../end-to-end/compile.js";
import { differing } from "../../../end-to-end/trees.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { commit, edit, officialText, pinsOf, serve, unseen, unseenText } from "./upstream.js";

const printer = ts.createPrinter({ removeComments: true });

/** A generated file without what documents it. */
function withoutDocs(path: string, text: string): string {
  if (path === "manifest.json") return ""; // It holds digests of the other files.
  if (path.endsWith(".json"))
    return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
      typeof value === "string" && (key === "description" || key === "text") ? undefined : value,
    );
  return path.endsWith(".ts") ? printer.printFile(ts.createSourceFile(path, text, ts.ScriptTarget.Latest)) : text;
}

describe("a known revision", () => {
  test("from the pinned commit gives our code", async () => {
    const revision = "2025-11-25";
    const folder = sandbox();
    const asked: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      asked.push(request.url);
      response.end(officialText(revision));
    });
    const paths = { to: join(folder, "schema"), out: join(folder, "generated") };
    const result = await vendor({ revision, ...paths, baseUrl, pins: pinsOf(revision) });
    expect(asked).toEqual([`/${commit}/schema/${revision}/schema.ts`]);
    expect(result).toMatchObject({
      revisions: [revision],
      findings: [],
      pinnedBy: "package",
      source: `${baseUrl}${asked[0]}`,
      file: join(paths.to, revision, "schema.ts"),
    });

    const vendored = treeOf(paths.to);
    expect(Object.keys(vendored)).toEqual([`${revision}/schema.ts`, "pins.json"]);
    expect(vendored[`${revision}/schema.ts`]).toBe(officialText(revision));
    expect(JSON.parse(vendored["pins.json"] ?? "")).toEqual(pinsOf(revision));
    expect(vendored["pins.json"]).toMatch(/^ {6}"Tool": \{ "ts": "\w{16}" \},$/m);

    await generate({ revisions: [revision], out: join(folder, "ours") });
    const [ours, theirs] = [treeOf(join(folder, "ours")), treeOf(paths.out)];
    const documents = differing(ours, theirs);
    expect(documents).toContain(`${revision}/types.ts`);
    for (const path of documents)
      expect(withoutDocs(path, theirs[path] ?? "absent"), path).toBe(withoutDocs(path, ours[path] ?? "absent too"));
  });
});

describe("an unknown revision", () => {
  const folder = sandbox();
  const paths = { to: join(folder, "schema"), out: join(folder, "src/mcp") };
  let upstream = unseenText;
  const asked: (string | undefined)[] = [];
  const listen = serve((request, response) => {
    asked.push(request.url);
    response.end(upstream);
  });
  const again = async () => vendor({ revision: unseen, ...paths, baseUrl: await listen });

  test("goes from file to code, with findings and no edit", async () => {
    const { findings, pinnedBy, revisions, file } = await again();
    expect(asked).toEqual([`/main/schema/${unseen}/schema.ts`]);
    expect({ pinnedBy, revisions }).toEqual({ pinnedBy: "first sight", revisions: [unseen] });
    expect(findings.map(({ id, message }) => `${id}: ${message.split(";")[0]}`).sort()).toEqual([
      "capability-unknown: no overlay mentions the new capability greetings of the server",
      "capability-unstated: no overlay states which capability greetings/greet (sent by the client) needs",
      "capability-unstated: no overlay states which capability greetings/list (sent by the client) needs",
      `profile-inherited: revision ${unseen} has no overlay of its own`,
    ]);
    // What is to be edited is named, not where it came from.
    expect(findings.flatMap(({ span }) => span?.file ?? [])).toEqual([file, file, file]);
    expect(Object.keys(treeOf(paths.to))).toEqual([`${unseen}/schema.ts`, "pins.json"]);
    const generated = Object.keys(treeOf(paths.out));
    expect(generated).toEqual(expect.arrayContaining([`${unseen}/conversions.ts`, `${unseen}/losses.ts`, "conversions.ts"])); // prettier-ignore
    expect(generated.filter((path) => path.startsWith("2026-07-28/"))).toEqual([]);
  });

  test("that compiles", { timeout: 120_000 }, async () => {
    put(join(folder, "src"), {
      "package.json": JSON.stringify({ private: true, type: "module" }),
      "use.ts": `
import type { Connection } from "./mcp/contract.js";
import { greet, listGreetings } from "./mcp/${unseen}/client.js";

export const words = async (connection: Connection): Promise<string> => (await greet(connection, { whom: "you" })).words;
export const all = async (connection: Connection): Promise<string[]> => (await listGreetings(connection)).greetings;
`,
    });
    expect(await compile(join(folder, "src"))).toBe("");
  });

  test("again is the same, and brings back a file that is missing", async () => {
    const before = treeOf(folder);
    rmSync(join(paths.to, unseen), { recursive: true });
    expect((await again()).pinnedBy).toBe("folder");
    expect(treeOf(folder)).toEqual(before);
  });

  test.each<[change: string, upstream: string, says: string]>([
    [
      "other definitions",
      edit(unseenText, ["  words: string;", "  words: string[];"], ["GreetRequestParams extends", "GreetRequestParams2 extends"], ["params: GreetRequestParams;", "params: GreetRequestParams2;"]), // prettier-ignore
      "changed are GreetRequest, GreetRequestParams (gone), GreetRequestParams2 (new), GreetResult",
    ],
    ["other prose", `${unseenText}// The end.\n`, "no definition changed, but other text"],
  ])("refuses %s later on", async (_, text, says) => {
    const before = treeOf(folder);
    upstream = text;
    try {
      expect(await refusal(folder, again())).toEqual([
        `pin-changed: ${await listen}/main/schema/${unseen}/schema.ts differs from the ${unseen} that OUT/schema/pins.json pins: ${says}`,
      ]);
    } finally {
      upstream = unseenText;
    }
    expect(treeOf(folder)).toEqual(before);
  });

  test("takes facts from an overlay beside the file, and keeps pins of other revisions", async () => {
    const spec = "server/greetings";
    const stated = { capability: "server.greetings", spec };
    const older = pinsOf("2024-11-05");
    const other = { to: join(folder, "stated"), out: join(folder, "stated-out") };
    const overlay = {
      extends: "2026-07-28",
      methods: { client: { "greetings/greet": stated, "greetings/list": stated } },
      capabilities: { server: { greetings: { spec } } },
    };
    put(other.to, { "pins.json": JSON.stringify(older), [`${unseen}/overlay.json`]: JSON.stringify(overlay) });
    const { findings } = await vendor({ revision: unseen, ...other, baseUrl: await listen });
    expect(findings).toEqual([]);
    expect(Object.keys(treeOf(other.to))).toEqual([`${unseen}/overlay.json`, `${unseen}/schema.ts`, "pins.json"]);
    expect(JSON.parse(readFileSync(join(other.to, "pins.json"), "utf8"))).toEqual({
      ...older,
      ...withoutCommit(pinsOf(unseen, unseenText)),
    });
  });
});

describe("the conversions of an unknown revision, without the older one in the folder,", () => {
  const folder = sandbox();
  const paths = { from: join(folder, "schema.ts"), to: join(folder, "schema"), out: join(folder, "out") };
  const stated = { fill: 0, loss: "`price` is set to 0.", spec: "https://example.com/pages#price" };
  const methods = {
    "greetings/greet": { capability: null, spec: "x" },
    "greetings/list": { capability: null, spec: "x" },
  };
  const overlay = {
    extends: "2026-07-28",
    methods: { client: methods },
    capabilities: { server: { greetings: { spec: "x" } } },
    conversions: { up: { "Tool.price": stated } },
  };
  put(folder, {
    "schema.ts": edit(unseenText, ["export interface Tool extends BaseMetadata, Icons {\n", "export interface Tool extends BaseMetadata, Icons {\n  price: number;\n"]), // prettier-ignore
  });

  test("are reported where no overlay states them", async () => {
    const { findings } = await vendor({ revision: unseen, ...paths });
    expect(findings.filter(({ id }) => id === "conversion-unstated").map(({ message }) => message)).toEqual([
      expect.stringContaining("Tool.price"),
    ]);
    expect(treeOf(paths.out)[`${unseen}/conversions.ts`]).toContain(
      '"tools/list": "State in the overlay how to convert Tool.price."',
    );
  });

  test("are generated from the overlay, stay when another revision is generated, and are not read again", async () => {
    put(paths.to, { [`${unseen}/overlay.json`]: JSON.stringify(overlay) });
    expect((await vendor({ revision: unseen, ...paths })).findings).toEqual([]);
    const conversions = treeOf(paths.out)[`${unseen}/conversions.ts`];
    expect(conversions).toMatch(/put\(\w+, \w+, "price", 0\)/);
    const phases: string[] = [];
    await vendor({ revision: unseen, ...paths, onPhase: (revision, phase) => phases.push(`${revision} ${phase}`) });
    expect(phases).toEqual(["shared write"]);
    await generate({ revisions: ["2025-11-25"], out: paths.out });
    expect(treeOf(paths.out)[`${unseen}/conversions.ts`]).toBe(conversions);
    expect(treeOf(paths.out)["conversions.ts"]).toContain(`./${unseen}/conversions.js`);
  });
});

describe("a draft", () => {
  const folder = sandbox();
  const paths = { to: join(folder, "schema"), out: join(folder, "out") };
  const id = "DRAFT-2027-v1";
  const draft = (revision: string, text: string) => {
    put(folder, { "from.ts": text });
    return vendor({ revision, from: join(folder, "from.ts"), ...paths });
  };
  const named = unseenText.replaceAll(`"${unseen}"`, `"${id}"`);

  test.each(["draft", unseen])("is not taken for %s: peers know it by what its constant says", async (revision) => {
    expect(await refusal(folder, draft(revision, named))).toEqual([
      `vendor-other-revision: OUT/from.ts declares revision ${id}, not ${revision}`,
    ]);
  });

  test("is a finding, and comes after what was published", async () => {
    await generate({ revisions: ["2025-11-25"], out: paths.out });
    const { findings, revisions } = await draft(id, named);
    expect(revisions).toEqual(["2025-11-25", id]);
    expect(findings.filter((finding) => finding.id === "draft-revision")).toMatchObject([
      { message: `${id} is a draft and may change at any time`, span: { file: join(paths.to, id, "schema.ts") } },
    ]);
    const out = treeOf(paths.out);
    expect(out["revisions.ts"]).toContain('latestRevision: Revision = "2025-11-25";');
    expect(out[`${id}/constants.ts`]).toContain(`PROTOCOL_VERSION = "${id}"`);
    expect(out["server-sides.ts"]).toMatch(/side0 \} from "\.\/2025-11-25\//);
  });

  test("may go on under the date of the revision before it", async () => {
    const other = { to: join(folder, "schema2"), out: join(folder, "out2") };
    const { findings } = await vendor({
      revision: "draft",
      from: join(schemaFolder(), "2026-07-28/schema.ts"),
      ...other,
    });
    expect(findings.map((finding) => finding.id)).toContain("draft-revision");
  });
});

/** Of a branch the commit is not known. */
function withoutCommit(pins: ReturnType<typeof pinsOf>): object {
  return Object.fromEntries(Object.entries(pins).map(([revision, { commit: _, ...pin }]) => [revision, pin]));
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  outdated,
  type OutdatedOptions,
  type OutdatedReport,
} from "../../../../generator/commands/outdated/outdated.js";
import { printOutdated } from "../../../../generator/commands/outdated/print-outdated.js";
import { printVendorPins, type VendorPins } from "../../../../generator/commands/vendor/vendor-pin.js";
import { packageRoot } from "../../../../generator/shared/package-root.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { edit, officialText, pinsOf, serve, unreachable, unseen, unseenText } from "../vendor/upstream.js";

const newest = "2026-07-28";
const own = packageRoot().version;

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

/** The responses of the network by path; a string is a body. */
let replies: Record<string, string | Reply>;
let requests: { readonly path: string; readonly authorization: string | undefined }[];
let folder: string;
const url = await serve(({ url: path = "", headers }, response) => {
  requests.push({ path, authorization: headers.authorization });
  const reply = replies[path];
  const { status = 200, body } =
    typeof reply === "object" ? reply : { status: reply === undefined ? 404 : 200, body: reply };
  response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body ?? "Not Found"));
});

const folders = (...names: readonly string[]): Reply => ({ body: names.map((name) => ({ name, type: "dir" })) });
const fileOf = (name: string): string => `/raw/main/schema/${name}/schema.ts`;

beforeEach(() => {
  requests = [];
  replies = {
    "/list": folders(newest, "draft"),
    [fileOf(newest)]: officialText(newest),
    "/npm/mcpwright/latest": { body: { version: own } },
  };
  folder = sandbox();
  pin(pinsOf(newest));
});

/** The stand-in of the published file is not the one that the package pins. */
function pin(pins: VendorPins): void {
  mkdirSync(join(folder, "schema"), { recursive: true });
  writeFileSync(join(folder, "schema/pins.json"), printVendorPins(pins));
}

async function ask(options: OutdatedOptions = {}): Promise<OutdatedReport> {
  const before = treeOf(folder);
  const places = { listUrl: `${url}/list`, baseUrl: `${url}/raw`, registry: `${url}/npm/` };
  const report = await outdated({ folder, to: join(folder, "schema"), ...places, ...options });
  expect(treeOf(folder)).toEqual(before);
  return report;
}

test("nothing is newer", async () => {
  const report = await ask();
  expect(report).toEqual({ current: true, newer: [], open: [] });
  expect(printOutdated(report)).toBe("Everything is current.\n");
});

describe("a newer revision", () => {
  beforeEach(() => {
    replies["/list"] = folders("2024-11-05", newest, unseen, "draft", "zz/../x");
    replies[fileOf(unseen)] = unseenText;
  });

  test("is reported with what it changes", async () => {
    const report = await ask();
    const address = `${url}${fileOf(unseen)}`;
    const remedy = `mcpwright vendor ${unseen} --to ${join(folder, "schema")}`;
    expect(report).toMatchObject({
      current: false,
      newer: [{ kind: "revision", name: unseen, ours: newest, url: address, remedy }],
      open: [],
    });
    const [item] = report.newer;
    expect(item?.kind === "revision" && item.changes?.addition).toBeGreaterThan(2);
    expect(printOutdated(report)).toMatch(/^Revision 2027-03-01 is newer than 2026-07-28: .*addition \d+/);
    expect(printOutdated(report)).toContain(`\n  mcpwright diff ${newest} ${address}\n  ${remedy}\n`);
  });

  test("is reported also if its file cannot be read", async () => {
    replies[fileOf(unseen)] = "export type ) = 1;";
    expect((await ask()).newer).toMatchObject([
      { kind: "revision", name: unseen, problem: expect.any(String) as string },
    ]);
  });

  test("that is vendored is not newer", async () => {
    pin({ ...pinsOf(newest), ...pinsOf(unseen, unseenText) });
    put(folder, { [`schema/${unseen}/schema.ts`]: unseenText });
    expect(await ask()).toEqual({ current: true, newer: [], open: [] });
  });
});

test("a published file that has changed", async () => {
  replies[fileOf(newest)] = edit(officialText(newest), [
    "export interface ServerCapabilities {\n",
    "export interface ServerCapabilities {\n  more?: {};\n",
  ]);
  const report = await ask();
  expect(report.newer).toEqual([
    {
      kind: "changed-file",
      name: newest,
      url: `${url}${fileOf(newest)}`,
      difference: "changed are ServerCapabilities",
      remedy: "npm install mcpwright@latest",
    },
  ]);
});

describe("the draft", () => {
  test("is compared if this is wished", async () => {
    replies[fileOf("draft")] = unseenText;
    expect((await ask()).newer).toEqual([]);
    expect((await ask({ draft: true })).newer).toMatchObject([
      {
        kind: "draft",
        name: "draft",
        ours: newest,
        changes: { wire: expect.any(Number) as number },
        remedy: `mcpwright vendor draft --from ${url}${fileOf("draft")} --to ${join(folder, "schema")}`,
      },
    ]);
  });

  test("that states an id can be vendored under it only", async () => {
    replies[fileOf("draft")] = unseenText.replaceAll(unseen, "DRAFT-2027-v2");
    const remedy = `mcpwright vendor DRAFT-2027-v2 --from ${url}${fileOf("draft")} --to ${join(folder, "schema")}`;
    expect((await ask({ draft: true })).newer).toMatchObject([{ kind: "draft", name: "draft", remedy }]);
    pin({ ...pinsOf(newest), ...pinsOf("DRAFT-2027-v1", unseenText) });
    expect((await ask()).newer).toMatchObject([{ kind: "draft", name: "DRAFT-2027-v1", remedy }]);
  });

  test("that is the newest revision is not newer", async () => {
    replies[fileOf("draft")] = officialText(newest);
    expect(await ask({ draft: true })).toEqual({ current: true, newer: [], open: [] });
  });

  test("that was vendored is newer once it changes", async () => {
    replies[fileOf("draft")] = unseenText;
    pin({ ...pinsOf(newest), ...pinsOf("DRAFT-2027-v1", unseenText) });
    expect((await ask()).newer).toEqual([]);
    replies[fileOf("draft")] = unseenText.replace("words: string", "phrase: string");
    expect((await ask()).newer).toMatchObject([
      {
        kind: "draft",
        name: "DRAFT-2027-v1",
        remedy: expect.stringMatching(/vendor DRAFT-2027-v1 --from http/) as string,
      },
    ]);
  });

  test("that cannot be read is an open question", async () => {
    expect(await ask({ draft: true })).toMatchObject({ newer: [], open: [{ question: "the draft" }] });
  });
});

describe("packages", () => {
  test("a newer one", async () => {
    replies["/npm/mcpwright/latest"] = { body: { version: "99.1.0" } };
    const report = await ask();
    expect(report.newer).toEqual([
      { kind: "package", name: "mcpwright", ours: own, newest: "99.1.0", remedy: "npm install mcpwright@99.1.0" },
    ]);
    expect(printOutdated(report)).toBe(`mcpwright 99.1.0 is newer than ${own}\n  npm install mcpwright@99.1.0\n`);
  });

  test("those of the project, at their installed versions", async () => {
    put(folder, {
      "package.json": JSON.stringify({ dependencies: { "@mcpwright/runtime": "^1.0.0", zod: "4" } }),
      "node_modules/@mcpwright/runtime/package.json": JSON.stringify({ version: "1.4.0" }),
    });
    replies["/npm/@mcpwright%2fruntime/latest"] = { body: { version: "1.5.0-beta.1" } };
    expect((await ask()).newer).toMatchObject([{ name: "@mcpwright/runtime", ours: "1.4.0", newest: "1.5.0-beta.1" }]);
    replies["/npm/@mcpwright%2fruntime/latest"] = { body: { version: "1.4.0" } };
    expect(await ask()).toEqual({ current: true, newer: [], open: [] });
  });

  test.each([["1.0.0; rm -rf ~"], ["\u001b[31m9.9.9"], [7], [undefined]])(
    "a version that is none: %j",
    async (version) => {
      replies["/npm/mcpwright/latest"] = { body: { version } };
      expect(await ask()).toMatchObject({ newer: [], open: [{ question: "the newest version of mcpwright" }] });
    },
  );
});

describe("what cannot be found out", () => {
  test("without a network", async () => {
    const dead = await unreachable();
    const report = await ask({ listUrl: `${dead}/list`, baseUrl: `${dead}/raw`, registry: dead });
    expect(report).toMatchObject({ current: false, newer: [] });
    expect(report.open.map(({ question }) => question)).toEqual([
      "the published revisions",
      `the published file of ${newest}`,
      "the newest version of mcpwright",
    ]);
    for (const { reason } of report.open) expect(reason).toContain("ECONNREFUSED");
  });

  test.each([
    ["an error", { status: 403, body: { message: "API rate limit exceeded" } }, /\/list: HTTP 403$/],
    ["a page", "<html>", /the response is not JSON$/],
    ["another value", { body: { message: "no" } }, /^the response is not a list of folders$/],
    ["too much", " ".repeat(1_000_001), /more than 1000000 bytes$/],
  ])("%s in place of the list", async (_what, reply, reason) => {
    replies["/list"] = reply;
    expect((await ask()).open).toEqual([
      { question: "the published revisions", reason: expect.stringMatching(reason) as string },
    ]);
  });

  test("something newer is reported all the same", async () => {
    replies["/list"] = { status: 500, body: "" };
    replies["/npm/mcpwright/latest"] = { body: { version: "99.0.0" } };
    expect(await ask()).toMatchObject({
      newer: [{ kind: "package" }],
      open: [{ question: "the published revisions" }],
    });
  });
});

test.each([
  ["no URL", /^the address of the registry is not a URL$/],
  [
    "http://ada:s3cret@127.0.0.1",
    /^http:\/\/127\.0\.0\.1\/mcpwright\/latest: URLs with a user name or password are not/,
  ],
])("a registry that cannot be used: %s", async (registry, reason) => {
  expect((await ask({ registry })).open).toEqual([
    { question: "the newest version of mcpwright", reason: expect.stringMatching(reason) as string },
  ]);
});

test("the token is sent with the request for the list only", async () => {
  await ask({ token: "t0ken" });
  expect(requests.filter(({ authorization }) => authorization !== undefined)).toEqual([
    { path: "/list", authorization: "Bearer t0ken" },
  ]);
});

test("a broken pins.json is an error", async () => {
  writeFileSync(join(folder, "schema/pins.json"), "{");
  expect(await refusal(folder, ask())).toEqual([expect.stringMatching(/^pins-malformed: /)]);
});

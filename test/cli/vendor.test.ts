import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { officialText, serve, unreachable, unseen, unseenText } from "../generator/commands/vendor/upstream.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { cli, root } from "./command-line.js";

const megabyte = Buffer.alloc(1_000_000, "// on and on\n");
const upstream = serve((request, response) => {
  const more = (): void => {
    response.write(megabyte, (error) => {
      if (!error) more();
    });
  };
  switch (request.url) {
    case "/schema.ts":
      return void response.end(unseenText);
    case "/page.ts":
      return void response.end("<!doctype html>\n<html><title>Sign in</title></html>");
    case "/circle.ts":
      return void response.writeHead(302, { location: "/circle.ts" }).end();
    case "/endless.ts":
      more();
      return;
    case "/cut.ts":
      response.writeHead(200, { "content-length": String(unseenText.length) });
      return void response.write(unseenText.slice(0, 1000), () => response.destroy());
    default:
      return void response.writeHead(404).end("nothing here");
  }
});

/** Runs below a folder of its own; gives what is printed with the paths taken out. */
async function vendor(folder: string, revision: string, from: string, to = "schema", out = "out") {
  const at = (path: string): string => (path.startsWith("/") ? path : join(folder, path));
  const outcome = await cli("vendor", revision, "--from", from, "--to", at(to), "--out", at(out));
  const url = await upstream;
  const shown = (text: string): string => text.replaceAll(url, "URL").replaceAll(`${folder}/`, "").replaceAll(root, "ROOT"); // prettier-ignore
  return { ...outcome, out: shown(outcome.out), err: shown(outcome.err) };
}

test("says what was pinned, by what, and what came out", async () => {
  const folder = sandbox();
  const url = `${await upstream}/schema.ts`;
  const first = await vendor(folder, unseen, url);
  expect(first.code).toBe(1);
  expect(first.out.replace(/[0-9a-f]{64}/, "SHA").replace(/\d{2} files/, "N files")).toBe(
    `schema/${unseen}/schema.ts was pinned on first sight in schema/pins.json: mcpwright has no pin for ${unseen} and used the content of URL/schema.ts (sha256 SHA)\n1 revision in out: N files were added, 0 changed, 0 removed; 0 unchanged\n`,
  );
  expect([...first.err.matchAll(/finding\[(.*?)\]/g)].map(([, id]) => id).sort()).toEqual([
    "capability-unknown",
    "capability-unstated",
    "capability-unstated",
    "profile-inherited",
  ]);
  const again = await vendor(folder, unseen, url);
  expect(again.code).toBe(1);
  expect(again.out).toContain(`schema/${unseen}/schema.ts is the ${unseen} that schema/pins.json pins`);
});

interface Fault {
  readonly revision?: string;
  /** Default: a good file. */
  readonly from?: string | (() => Promise<string>);
  readonly to?: string;
  readonly out?: string;
  /** What is there before. */
  readonly tree?: Readonly<Record<string, string>>;
  readonly prepare?: (folder: string) => void;
  /** Default: 1. */
  readonly code?: number;
  /** The diagnostic up to here. */
  readonly error: string;
}

const url = (path: string) => async (): Promise<string> => (await upstream) + path;
const ours = join(root, "schema/2025-06-18/schema.ts");
const file = (text: string): NonNullable<Fault["tree"]> => ({ "from/schema.ts": text });

const faults: Readonly<Record<string, Fault>> = {
  "no network": {
    from: async () => `${await unreachable()}/schema.ts`,
    error: "error[input-not-found]: cannot read NOBODY/schema.ts: ECONNREFUSED",
  },
  "no such page": {
    from: url("/nowhere.ts"),
    error: "error[input-not-found]: cannot read URL/nowhere.ts: HTTP 404",
  },
  "a page": {
    from: url("/page.ts"),
    error: "error[vendor-not-typescript]: URL/page.ts is not a schema.ts: it looks like a web page",
  },
  "redirects in a circle": {
    from: url("/circle.ts"),
    error: "error[input-not-found]: cannot read URL/circle.ts: redirect count exceeded",
  },
  "a body without end": {
    from: url("/endless.ts"),
    error: "URL/endless.ts:1:1: error[input-too-large]: the schema has more than 8000000 bytes",
  },
  "a body cut short": { from: url("/cut.ts"), error: "error[input-not-found]: cannot read URL/cut.ts: " },
  "no such file": {
    from: "/nowhere/schema.ts",
    error: "error[input-not-found]: cannot read /nowhere/schema.ts: ENOENT",
  },
  "a schema.json": {
    from: join(root, "generated/2026-07-28/schema.json"),
    error:
      "error[vendor-not-typescript]: ROOT/generated/2026-07-28/schema.json is not a schema.ts: its name does not end in .ts",
  },
  "a syntax error": {
    from: "from/schema.ts",
    tree: file("export interface Broken {"),
    error: "from/schema.ts:1:26: error[syntax-error]",
  },
  "a name that is not declared": {
    from: "from/schema.ts",
    tree: file(`${unseenText}export type A = Missing;`),
    error: `from/schema.ts:${unseenText.split("\n").length}:17: error[unresolved-reference]: Missing`,
  },
  "a schema without messages": {
    from: "from/schema.ts",
    tree: file("export interface Lonely {}"),
    error: "error[role-missing]: the schema has none of the role unions",
  },
  "an overlay with a fault": {
    tree: { [`schema/${unseen}/overlay.json`]: "{" },
    error: `schema/${unseen}/overlay.json:1:2: error[overlay-malformed]`,
  },
  "another revision than it says": {
    revision: "2027-03-02",
    error: `error[vendor-other-revision]: URL/schema.ts declares revision ${unseen}, not 2027-03-02`,
  },
  "a known revision with other words": {
    revision: "2025-06-18",
    from: ours,
    error: `error[pin-mismatch]: ROOT/schema/2025-06-18/schema.ts differs from the 2025-06-18 that mcpwright pins: no definition changed`,
  },
  "a known revision with another meaning": {
    revision: "2025-06-18",
    from: "from/schema.ts",
    tree: file(`${officialText("2025-06-18").replace("  title?: string;", "  title: string;")}export type A = 1;`),
    error: `error[pin-mismatch]: from/schema.ts differs from the 2025-06-18 that mcpwright pins: changed are A (new), BaseMetadata\n`,
  },
  "an id that leaves the folder": {
    revision: "../../2027-03-01",
    code: 2,
    error: "error[revision-invalid]: ../../2027-03-01 is not a valid revision id",
  },
  node_modules: {
    to: "node_modules/mcpwright/schema",
    code: 2,
    error:
      "error[vendor-target-refused]: node_modules/mcpwright/schema cannot be the schema folder: the next install deletes files in node_modules",
  },
  "a link into node_modules": {
    prepare: (folder) => {
      mkdirSync(join(folder, "node_modules/x"), { recursive: true });
      symlinkSync("node_modules/x", join(folder, "schema"));
    },
    code: 2,
    error:
      "error[vendor-target-refused]: schema cannot be the schema folder: the next install deletes files in node_modules",
  },
  "mcpwright's own schemas": {
    to: join(root, "schema"),
    code: 2,
    error:
      "error[vendor-target-refused]: ROOT/schema cannot be the schema folder: it contains the schemas of mcpwright",
  },
  "the output folder": {
    to: "out/schema",
    code: 2,
    error: "error[vendor-target-refused]: out/schema cannot be the schema folder: it is in the output folder",
  },
  "a target that is a file": {
    tree: { schema: "mine" },
    code: 2,
    error: "error[vendor-target-refused]: schema cannot be the schema folder: it is not a folder",
  },
  "a target below a file": {
    tree: { file: "mine" },
    to: "file/schema",
    error: "error[output-not-writable]: cannot write file/schema: ENOTDIR",
  },
  "another schema at its place": {
    tree: { [`schema/${unseen}/schema.ts`]: "mine" },
    error: `error[vendor-foreign]: schema/${unseen}/schema.ts differs from the vendored file`,
  },
  "a link at its place": {
    prepare: (folder) => {
      mkdirSync(join(folder, "schema"));
      symlinkSync("../elsewhere", join(folder, `schema/${unseen}`));
    },
    error: `error[vendor-foreign]: schema/${unseen} differs from the vendored file`,
  },
  "a folder at its place": {
    tree: { [`schema/${unseen}/schema.ts/mine`]: "mine" },
    error: `error[vendor-foreign]: schema/${unseen}/schema.ts differs from the vendored file`,
  },
  "another pins.json": {
    tree: { "schema/pins.json": '{"board": "A4"}' },
    error: "error[pins-malformed]: schema/pins.json is not a valid pins file: the entry board is not a pin",
  },
  "a pins.json that is no JSON": {
    tree: { "schema/pins.json": "<<<<<<< HEAD" },
    error: "error[pins-malformed]: schema/pins.json is not a valid pins file: Unexpected token",
  },
  "an output folder that holds something else": {
    tree: { "out/mine.txt": "mine" },
    error: "error[output-foreign]: out contains files that were not generated: mine.txt",
  },
};

describe("is refused with one message, and nothing is touched:", () => {
  test.each(Object.entries(faults))("%s", async (_, fault) => {
    const folder = sandbox();
    put(folder, fault.tree ?? {});
    fault.prepare?.(folder);
    const before = treeOf(folder);
    const given = typeof fault.from === "function" ? await fault.from() : (fault.from ?? (await url("/schema.ts")()));
    const from = /^(\/|http)/.test(given) ? given : join(folder, given);
    const { code, out, ...printed } = await vendor(folder, fault.revision ?? unseen, from, fault.to, fault.out);
    const err = printed.err.replace(/^.* format \d+ ms\n/, "").replace(/http:\/\/127\.0\.0\.1:\d+/, "NOBODY");
    expect({ err: err.slice(0, fault.error.length), code, out }).toEqual({
      err: fault.error,
      code: fault.code ?? 1,
      out: "",
    });
    const [, ...hints] = err.trimEnd().split("\n");
    expect(hints).toEqual([expect.stringMatching(/^ {2}\S.*\.$/)]);
    expect(treeOf(folder)).toEqual(before);
  });
});

test.each<[args: readonly string[], says: string]>([
  [["vendor"], "Pass a revision, or an extension with --extension."],
  [["vendor", "--extension", "ext", "--from", "schema.ts"], "Pass the schema of the extension with --extension, not with --from."], // prettier-ignore
  [["vendor", unseen, "--id", "com.example/a"], "--id requires --extension."],
  [["vendor", unseen, "--over", "2026-07-28"], "--over requires --extension."],
  [["vendor", "--extension", "ext", "--over", "schema.ts"], "--over must be a revision that mcpwright includes."],
  [["vendor", "--extension", ""], "--extension must not be empty."],
  [["vendor", unseen, "--to", ""], "--to must not be empty."],
  [["vendor", unseen, "--from", "a.ts", "--from", "b.ts"], "--from must not be repeated."],
  [["vendor", unseen, "--force"], "Unknown option: --force."],
])("%j is wrong usage", async (args, says) => {
  expect(await cli(...args)).toEqual({ code: 2, out: "", err: `${says}\nSee mcpwright vendor --help.\n` });
});

/**
 * The steps of docs/guide/regenerating.md: a new revision is published that this mcpwright does not know. The tests use the
 * newest revision, after removing it from a copy of the repository.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { DiffReport } from "../../generator/commands/diff/finding.js";
import { childCli, root, type Outcome } from "../cli/command-line.js";
import { changelogs } from "../generator/commands/diff/changelogs.js";
import { put, sandbox, treeOf } from "../generator/shared/files/sandbox.js";
import { compile } from "./compile.js";

const { from: older, to: newer } = changelogs.at(-1) ?? { from: "", to: "" };
const overlay = readFileSync(join(root, "schema", newer, "overlay.json"), "utf8");

const checkout = sandbox();
const project = sandbox();
const mcpwright = (...args: readonly string[]): Promise<Outcome> => childCli(args, { checkout, cwd: project });
const schema = `protocol/schema/${newer}/schema.ts`;
const vendor = ["vendor", newer, "--from", "official/schema.ts", "--to", "protocol/schema", "--out", "protocol/mcp"];

/** A copy of the generator that does not know the newest revision. */
function forgetNewest(): void {
  for (const part of ["generator", "schema", "templates", "package.json"])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  rmSync(join(checkout, "schema", newer), { recursive: true });
  for (const file of ["pins.json", "corrections.json"]) {
    const path = join(checkout, "schema", file);
    const { [newer]: _forgotten, ...known } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify(known));
  }
  mkdirSync(join(checkout, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== ".cache" && name !== "@mcpwright")
      symlinkSync(join(root, "node_modules", name), join(checkout, "node_modules", name));
}

function ids(text: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [, id = ""] of text.matchAll(/finding\[([\w-]+)\]/g)) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
}

let first: Outcome;
beforeAll(async () => {
  forgetNewest();
  put(project, {
    "official/schema.ts": readFileSync(join(root, "schema", newer, "schema.ts"), "utf8"),
    "package.json": JSON.stringify({ private: true, type: "module" }),
  });
  await mcpwright("generate", older, "--out", "protocol/mcp");
  first = await mcpwright(...vendor);
}, 180_000);

describe("without an overlay", { timeout: 180_000 }, () => {
  test("vendor pins the schema, generates from it, and reports facts of the prose as findings with places", () => {
    expect(first.code).toBe(1);
    expect(first.out).toContain(`${schema} was pinned on first sight`);
    expect(Object.keys(ids(first.err)).sort()).toEqual([
      "capability-unknown",
      "capability-unstated",
      "conversion-unstated",
      "deprecation-unstated",
      "error-code-unstated",
      "in-band-unstated",
      "profile-inherited",
      "result-alternative-unstated",
    ]);
    expect(first.err).toMatch(
      new RegExp(`^${schema}:\\d+:\\d+: finding\\[in-band-unstated\\]: InputRequest lists messages`, "m"),
    );
  });

  test("types and validators equal the published ones, except for doc comments", () => {
    const [ours, published] = [join(project, "protocol/mcp", newer), join(root, "generated", newer)].map((folder) =>
      Object.fromEntries(["validate.ts", "index.ts"].map((file) => [file, readFileSync(join(folder, file), "utf8")])),
    );
    expect(ours).toEqual(published);
  });

  test("the output compiles", async () => {
    expect(await compile(project, "nodenext", [], { noUnusedLocals: true })).toBe("");
  });

  test("diff finds the entries of the official changelog that the schema shows", async () => {
    const { code, out } = await mcpwright("diff", older, schema, "--format", "json");
    expect(code).toBe(1);
    const report = JSON.parse(out) as DiffReport;
    const found = new Set(report.findings.map(({ rule, at }) => `${rule} ${at}`));
    const wanted = changelogs.at(-1)?.entries.flatMap(({ found: all = [] }) => all) ?? [];
    expect(wanted.filter((one) => !found.has(one) && !needsOverlay.test(one))).toEqual([]);
    // Otherwise the pattern above would exclude too many entries.
    expect(wanted.filter((one) => found.has(one) && needsOverlay.test(one))).toEqual([]);
    expect(
      report.findings.filter(({ category }) => category === "unstated").map(({ rule }) => `finding[${rule}]`),
    ).toEqual([...first.err.matchAll(/finding\[[\w-]+\]/g)].map(([id]) => id));
  });
});

/** Findings that need the overlay of the newest revision. */
const needsOverlay =
  /^(authorization-changed|behaviour-changed|opening-changed|method-in-band|result-alternative-added|result-tag-changed|routing-changed|error-removed)|meta-key-added _meta\["(baggage|trace)/;

describe("with the overlay next to the vendored file", { timeout: 180_000 }, () => {
  let second: Outcome;
  beforeAll(async () => {
    writeFileSync(join(project, schema, "../overlay.json"), overlay);
    second = await mcpwright(...vendor);
  }, 180_000);

  test("reports no finding", async () => {
    expect(second).toMatchObject({ code: 0, err: expect.not.stringContaining("finding[") as string });
    const { out } = await mcpwright("diff", older, schema, "--format", "json");
    expect((JSON.parse(out) as DiffReport).counts.unstated).toBe(0);
  });

  test("generates the published code, byte for byte", () => {
    const ours = treeOf(join(project, "protocol/mcp", newer));
    // The numbers of rows depend on the other revisions in the table.
    const { "issues.ts": issues, "standard-schema.ts": schemas, ...rest } = ours;
    const published = treeOf(join(root, "generated", newer));
    expect([issues, schemas]).not.toContain(undefined);
    expect(rest).toEqual(Object.fromEntries(Object.keys(rest).map((file) => [file, published[file]])));
  });
});

import { readFileSync } from "node:fs";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DiffReport } from "../../generator/commands/diff/finding.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { childCli, cli, cliOn, root, startCli, exitCode } from "./command-line.js";

const [older, newer] = ["2024-11-05", "2025-03-26"] as const;
const model = (revision: string) => join(root, "generated", revision, "model.json");
const modelText = (revision: string) => readFileSync(model(revision), "utf8");

/** Two models that differ only in an optional member. */
function additionOnly(): readonly [string, string] {
  const folder = sandbox();
  const text = modelText(older);
  const changed = JSON.parse(text) as { definitions: { name: string; members?: object[] }[] };
  changed.definitions
    .find(({ name }) => name === "Tool")
    ?.members?.push({ name: "colour", optional: true, type: { kind: "string" } });
  put(folder, { "a.json": text, "b.json": JSON.stringify(changed) });
  return [join(folder, "a.json"), join(folder, "b.json")];
}

describe("exit codes", () => {
  test.each<readonly [name: string, args: readonly string[], code: number]>([
    ["nothing differs", [older, older], 0],
    ["something is on the wire", [older, newer], 1],
    ["nothing fails", [older, newer, "--fail-on", "none"], 0],
    ["only what is not there fails", [older, newer, "--fail-on", "unstated,deprecation"], 0],
    ["one of those named is there", [older, newer, "--fail-on", "deprecation,addition"], 1],
    ["only additions", additionOnly(), 0],
    ["additions fail, too", [...additionOnly(), "--fail-on", "any"], 1],
  ])("%s", async (_name, args, code) => {
    expect(await cli("diff", ...args)).toMatchObject({ code, err: "" });
  });

  test.each<readonly [args: readonly string[], code: number, err: RegExp]>([
    [["2024-11-05"], 2, /^An argument is missing: mcpwright diff <before> <after>/],
    [
      ["2024-11-05", "2024"],
      2,
      /error\[revision-or-file-unknown\]: 2024 is neither a known revision nor a schema file; known revisions: 2024-11-05, /,
    ],
    [[older, newer, "--fail-on", "wires"], 2, /^--fail-on must be any, none or a list of wire, .*, not "wires"\./],
    [[older, newer, "--format", "xml"], 2, /^--format must be one of text, markdown, json, github, html, not "xml"\./],
    [[older, newer, "--format", "json", "--format", "text"], 2, /--format must not be repeated\./],
    [[older, newer, "--out", ""], 2, /--out must not be empty\./],
    [[older, "/nowhere/schema.ts"], 1, /error\[input-not-found\]: cannot read \/nowhere\/schema\.ts: ENOENT/],
    [
      [older, newer, "--ignore", "/nowhere/ignore.json"],
      1,
      /error\[input-not-found\]: cannot read \/nowhere\/ignore\.json/,
    ],
  ])("%j", async (args, code, err) => {
    expect(await cli("diff", ...args)).toEqual({ code, out: "", err: expect.stringMatching(err) as string });
  });
});

test("revisions, schemas and models are compared alike", async () => {
  const findings = async (...args: readonly [string, string]) => {
    const { out } = await cli("diff", ...args, "--format", "json");
    return (JSON.parse(out) as DiffReport).findings.map(({ rule, at }) => `${rule} ${at}`);
  };
  const expected = await findings(older, newer);
  expect(expected.length).toBeGreaterThan(20);
  const schema = (revision: string) => join(root, "schema", revision, "schema.ts");
  expect(await findings(schema(older), schema(newer))).toEqual(expected);
  expect(await findings(model(older), model(newer))).toEqual(expected);
});

test("places are lines of the schema and of the overlay", async () => {
  const { out } = await cli("diff", older, newer, "--format", "json");
  const { findings } = JSON.parse(out) as DiffReport;
  const after = (at: string) => findings.find((finding) => finding.at === at)?.after;
  const lineOf = (file: string, text: string) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1;
  const schema = `schema/${newer}/schema.ts`;
  expect(after("Tool.annotations")).toMatchObject({
    file: schema,
    line: lineOf(schema, "annotations?: ToolAnnotations"),
  });
  const overlay = `schema/${newer}/overlay.json`;
  expect(after("profile.session")).toMatchObject({ file: overlay, line: lineOf(overlay, '"session":') });
});

describe("models that are none", () => {
  test.each<readonly [name: string, text: string, err: RegExp]>([
    ["truncated", modelText(older).slice(0, 2_000), /error\[json-malformed\]/],
    ["of another format", modelText(older).replace('"format": 1', '"format": 9'), /error\[model-malformed\]/],
    [
      "with a faulty type",
      modelText(older).replace('"kind": "struct"', '"kind": "strict"'),
      /error\[model-malformed\].*definitions\[\d+\]/,
    ],
    ["a list", "[]", /error\[json-not-schema\]/],
    ["deep", `${'{"definitions":{"A":'.repeat(5_000)}1`, /error\[json-malformed\]/],
  ])("%s", async (_name, text, err) => {
    const folder = sandbox();
    put(folder, { "model.json": text });
    const outcome = await cli("diff", older, join(folder, "model.json"));
    expect(outcome).toEqual({ code: 1, out: "", err: expect.stringMatching(err) as string });
  });
});

describe("--out", () => {
  test("an older report is overwritten, in any format", async () => {
    const file = join(sandbox(), "report");
    for (const format of ["text", "markdown", "json", "github", "html"]) {
      const { code, out } = await cli("diff", older, newer, "--format", format, "--out", file);
      expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/; written to .*report\n$/) as string });
      expect(readFileSync(file, "utf8")).toBe((await cli("diff", older, newer, "--format", format)).out);
    }
  });

  test("a file that is not a report is not", async () => {
    const folder = sandbox();
    put(folder, { "notes.md": "# Mine\n" });
    const file = join(folder, "notes.md");
    const { code, err } = await cli("diff", older, newer, "--out", file);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("error[report-foreign]") as string });
    expect(readFileSync(file, "utf8")).toBe("# Mine\n");
  });

  test("reports a missing folder", async () => {
    const { code, err } = await cli("diff", older, newer, "--out", join(sandbox(), "no/report.md"));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("error[output-not-writable]") as string });
  });

  test.skipIf(process.getuid?.() === 0)("reports a folder that is not writable", async () => {
    const folder = join(sandbox(), "closed");
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    const { code, err } = await cli("diff", older, newer, "--out", join(folder, "report.md"));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("error[output-not-writable]") as string });
  });
});

describe("--ignore", () => {
  test("omits the listed findings; reports entries that match nothing", async () => {
    const folder = sandbox();
    const entries = [
      { rule: "*", at: "*", reason: "all of it" },
      { rule: "member-added", at: "Nowhere.*", reason: "left over" },
    ];
    put(folder, { "ignore.json": JSON.stringify(entries) });
    const { code, out } = await cli("diff", older, newer, "--ignore", join(folder, "ignore.json"));
    expect(code).toBe(0);
    expect(out).toContain("no differences, ");
    expect(out).toContain("  member-added at Nowhere.*\n");
  });
});

describe("colours", () => {
  // eslint-disable-next-line no-control-regex -- it is what is looked for
  const colour = /\u001b\[/;
  test("are for terminals", async () => {
    expect((await cliOn({ isTTY: true }, "diff", older, newer)).out).toMatch(colour);
    expect((await cli("diff", older, newer)).out).not.toMatch(colour);
    expect((await cliOn({ isTTY: true }, "diff", older, newer, "--format", "json")).out).not.toMatch(colour);
  });
});

test("a reader that goes away ends it quietly", { timeout: 60_000 }, async () => {
  const child = startCli(["diff", "2025-11-25", "2026-07-28", "--fail-on", "none", "--format", "html"]);
  let err = "";
  child.stderr?.on("data", (chunk) => (err += String(chunk)));
  child.stdout?.once("data", () => child.stdout?.destroy());
  expect({ code: await exitCode(child), err }).toEqual({ code: 0, err: "" });
});

test("--help lists the categories and the exit codes", async () => {
  const { code, out } = await cli("diff", "--help");
  expect(code).toBe(0);
  for (const text of ["wire", "behaviour", "unstated", "Exit codes:\n  0  success", "--fail-on", "--ignore"])
    expect(out).toContain(text);
});

const rank = join(root, "test/generator/pipeline/fixtures/rank");

describe("diff of two versions of an extension", () => {
  test("has the changes of the extension, and none of its revision", async () => {
    const changed = join(sandbox(), "rank");
    put(changed, {
      "overlay.json": readFileSync(join(rank, "overlay.json"), "utf8"),
      "schema.ts": readFileSync(join(rank, "schema.ts"), "utf8").replace("place: number;", "place: string;"),
    });
    const { code, out } = await cli("diff", rank, changed);
    expect(code).toBe(1);
    expect(out).toContain("RankedResult.place has a different type");
    expect(out).toContain(`${join(changed, "schema.ts")}:29`);
    expect(out).toContain("com.example/rank to com.example/rank: 1 finding (1 wire)");
  });

  test("finds none between an extension and itself, named by its id or by its schema", async () => {
    const schema = join(root, "schema/extensions/tasks/draft/schema.ts");
    const { code, out } = await cli("diff", "io.modelcontextprotocol/tasks", schema);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining("no differences") as string,
    });
  });

  test("reads a schema.json that names the extension as its schema, not as that of a revision", async () => {
    const folder = sandbox();
    const schema = { description: "For io.modelcontextprotocol/tasks", $defs: { Box: { type: "object" } } };
    put(folder, { "schema.json": JSON.stringify(schema) });
    const { code, err } = await cli("diff", "io.modelcontextprotocol/tasks", join(folder, "schema.json"));
    expect(code).toBe(1);
    expect(err).toContain("error[extension-type-missing]: the overlay of io.modelcontextprotocol/tasks names the type");
  });
});

describe("explain", () => {
  test.each<readonly [args: readonly string[], expected: readonly string[]]>([
    [
      ["tools/call"],
      [
        "tools/call  (method, 2026-07-28)",
        "schema/2026-07-28/schema.ts:",
        "result   CallToolResult or InputRequiredResult",
        "needs    server.tools",
        "Sent by the client; received by the server",
        "From 2024-11-05 to 2025-03-26\n  wire        alternative-added: CallToolResult.content[] may be AudioContent",
      ],
    ],
    [
      ["sampling/createMessage", "--revision", "2025-11-25"],
      ["(method, 2025-11-25)", "request of the server", "client.sampling.tools for tools", "method-in-band"],
    ],
    [["sampling/createMessage"], ["input request of the server", "DEPRECATED  ", "Sent by the server"]],
    [
      ["Annotations"],
      ["- 2024-11-05\n  + 2025-03-26", "AudioContent.annotations", "in the params of sampling/createMessage"],
    ],
    [["initialize"], ["(method, 2025-11-25)", "- 2026-07-28", "method-removed"]],
    [["CompleteResult", "--revision", older], ["number-as-integer: CompleteResult/properties/completion"]],
    [["JSONRPCErrorResponse"], ["definition-renamed: JSONRPCError was probably renamed JSONRPCErrorResponse"]],
    [["Task"], ["Task  (type, 2025-11-25)", "+ io.modelcontextprotocol/tasks", "definition-removed: Task was removed"]],
    [
      ["Task", "--revision", "io.modelcontextprotocol/tasks"],
      ["Task  (type, io.modelcontextprotocol/tasks)", "schema/extensions/tasks/draft/schema.ts:", "CompletedTask"],
    ],
    [
      ["CreateTaskResult", "--revision", "io.modelcontextprotocol/tasks"],
      ["in the result of tools/call, request of the client", "Sent by the server; received by the client"],
    ],
    [
      ["ui/message"],
      ["(method, io.modelcontextprotocol/ui)", "request of the app", "Sent by the app; received by the host"],
    ],
    [
      ["RankedResult", "--schema", rank],
      ["RankedResult  (type, com.example/rank)", "in the result of tools/call", "- 2026-07-28\n  + com.example/rank"],
    ],
    [["ListToolsRequest"], ["ListToolsRequest  (type,", 'jsonrpc: "2.0"; // from JSONRPCRequest']],
  ])("%j", async (args, expected) => {
    const { code, out, err } = await cli("explain", ...args);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(expected.filter((text) => !out.includes(text))).toEqual([]);
  });

  test("--json has the same as data", async () => {
    const { out } = await cli("explain", "Tool", "--json");
    expect(JSON.parse(out)).toMatchObject({
      format: 1,
      name: "Tool",
      kind: "type",
      file: "schema/2026-07-28/schema.ts",
      revisions: [older, newer, "2025-06-18", "2025-11-25", "2026-07-28"].map((revision) => ({
        revision,
        present: true,
      })),
      referredToBy: ["ListToolsResult.tools[]", "CreateMessageRequestParams.tools[]"],
      sentBy: ["server"],
    });
  });

  test.each<readonly [name: string, args: readonly string[], err: string]>([
    ["a slip", ["Tol"], "error[name-unknown]: Tol is neither a type nor a method of any revision\n  Did you mean Tool"],
    ["a slip in a method", ["tools/cal"], "Did you mean tools/call"],
    ["a part", ["elicit"], "Did you mean ElicitResult or ElicitRequest"],
    ["nothing like it", ["zzzzzzzz"], "`mcpwright model` prints all that a revision has."],
    ["an inherited name", ["__proto__"], "error[name-unknown]"],
    [
      "another revision",
      ["initialize", "--revision", "2026-07-28"],
      "error[name-not-in-revision]: initialize is not in 2026-07-28\n  It is in 2024-11-05, ",
    ],
    ["no revision", ["Tool", "--revision", "2020-01-01"], "error[revision-unknown]"],
  ])("%s", async (_name, args, err) => {
    expect(await cli("explain", ...args)).toEqual({ code: 2, out: "", err: expect.stringContaining(err) as string });
  });
});

test("the bundle has templates and schemas at hand", { timeout: 60_000 }, async () => {
  const { code, out } = await childCli(["diff", older, newer, "--format", "html", "--fail-on", "none"], {
    program: "bundle",
    cwd: sandbox(),
  });
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("</html>") as string });
});

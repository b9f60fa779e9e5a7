import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inspectServer, type InspectOptions } from "../../../../generator/commands/inspect/inspect-server.js";
import { checkToolOutput } from "../../../../generator/commands/inspect/check-tool-output.js";
import type { InspectRequest } from "../../../../generator/commands/inspect/inspection.js";
import { put, sandbox } from "../../shared/files/sandbox.js";
import { weatherCommand, weatherUrl } from "../../shared/sessions/places.js";

const call = (name: string, args: object = {}, pairs: readonly string[] = []): InspectRequest => ({
  kind: "call",
  name,
  arguments: args as Record<string, unknown>,
  pairs,
});

/** Every way to reach a server, and what it then speaks. */
const ways = [
  ["stdio, per request", () => weatherCommand(), "2026-07-28", "stateless"],
  ["stdio, by handshake", () => weatherCommand({ revisions: ["2025-11-25"] }), "2025-11-25", "handshake"],
  ["HTTP, per request", async () => [await weatherUrl()], "2026-07-28", "stateless"],
  ["HTTP, by handshake", async () => [await weatherUrl({ revisions: ["2025-11-25"] })], "2025-11-25", "handshake"],
  ["HTTP+SSE", async () => [await weatherUrl({ revisions: ["2024-11-05"] })], "2024-11-05", "handshake"],
] as const;

async function asked(request: InspectRequest, options: Partial<InspectOptions> = {}) {
  const told: string[] = [];
  const inspection = await inspectServer({
    target: weatherCommand({ revisions: ["2025-11-25"] }),
    request,
    tell: (line) => told.push(line),
    ...options,
  });
  const { content } = inspection.result as { content?: readonly { text: string }[] };
  return { ...inspection, told, text: content?.[0]?.text };
}

describe.each(ways)("over %s", (_way, target, revision, era) => {
  test("reports the revision and lists of the server", async () => {
    const inspection = await inspectServer({ target: await target() });
    expect(inspection).toMatchObject({
      revision,
      era,
      server: { name: "weather", version: "1.2.0" },
      instructions: "Ask for cities.",
      notes: [],
    });
    const names = inspection.tools?.map(({ name }) => name);
    expect(names).toEqual(["get-forecast", "cities", "ask", "visit", "write", "touch"]);
    expect(inspection.resources?.map(({ uri }) => uri)).toEqual(["note:///today"]);
    expect(inspection.resourceTemplates?.map(({ uriTemplate }) => uriTemplate)).toEqual(["note:///{id}{?page}"]);
    expect(inspection.prompts?.map(({ name }) => name)).toEqual(["plan-trip"]);
  });

  test("calls a tool, and reports its progress", async () => {
    const { text, told } = await asked(call("cities"), { target: await target() });
    expect(text).toBe("Rome, Oslo");
    expect(told).toContain("progress 1 of 2: half");
  });
});

test("fetches all pages", async () => {
  const { tools } = await inspectServer({ target: weatherCommand({ pageSize: 1 }) });
  expect(tools).toHaveLength(6);
});

test.each(["2025-11-25", "2024-11-05", "2026-07-28"])("--revision %s alone is spoken", async (revision) => {
  expect(await inspectServer({ target: weatherCommand(), revision })).toMatchObject({ revision });
});

test("a configuration may say that a server speaks HTTP+SSE", async () => {
  const folder = sandbox();
  const url = await weatherUrl({ revisions: ["2024-11-05"] });
  put(folder, { "mcp.json": JSON.stringify({ mcpServers: { weather: { type: "sse", url } } }) });
  expect(await inspectServer({ target: [join(folder, "mcp.json")] })).toMatchObject({
    revision: "2024-11-05",
    notes: [],
  });
});

test("reports logs as they arrive", async () => {
  const { told } = await asked(call("cities"));
  expect(told).toContain('log info: {"looked":"up"}');
});

describe("requests", () => {
  const table: readonly (readonly [string, InspectRequest, object])[] = [
    [
      "arguments by type",
      call("get-forecast", {}, ["city=Rome", "days=3", "exact=true"]),
      { request: { call: "get-forecast", arguments: { city: "Rome", days: 3, exact: true } } },
    ],
    ["structured output", call("get-forecast", { city: "Rome" }), { result: { structuredContent: { degrees: 20 } } }],
    ["a tool that fails", call("get-forecast", { city: "Atlantis" }), { result: { isError: true } }],
    ["a resource", { kind: "read", uri: "note:///today" }, { result: { contents: [{ text: "Take an umbrella." }] } }],
    [
      "a prompt",
      { kind: "prompt", name: "plan-trip", arguments: { city: "Oslo" } },
      { result: { messages: [{ content: { text: "Plan a trip to Oslo." } }] } },
    ],
    [
      "a prompt's argument",
      { kind: "complete", ref: { prompt: "plan-trip" }, argument: { name: "city", value: "R" }, context: {} },
      { result: { completion: { values: ["Rome", "Riga"] } } },
    ],
    [
      "a template's variable",
      {
        kind: "complete",
        ref: { template: "note:///{id}{?page}" },
        argument: { name: "id", value: "t" },
        context: { page: "1" },
      },
      { result: { completion: { values: ["two", "three"] } } },
    ],
  ];
  test.each(table)("%s", async (_name, request, expected) => {
    expect(await asked(request)).toMatchObject(expected);
  });
});

describe.each(["2025-11-25", "2026-07-28"])("questions of a server of %s", (revision) => {
  const target = weatherCommand({ revisions: [revision] });
  const typed = (...lines: string[]) => ({ ask: () => Promise.resolve(lines.shift()) });

  test.each([
    ["are declined without anybody to ask", {}, "ask", { action: "decline" }],
    [
      "are answered by --answer, as far as the form has the fields",
      { answer: { name: "Ada", age: 36, other: 1 } },
      "ask",
      { action: "accept", content: { name: "Ada", age: 36 } },
    ],
    [
      "are asked field by field, again where it does not fit",
      typed("", "Ada", "minus one", "36", "perhaps", "yes", ""),
      "ask",
      { action: "accept", content: { name: "Ada", age: 36, fine: true } },
    ],
    [
      "may leave out what is not required",
      typed("Ada", "", "", "yes"),
      "ask",
      { action: "accept", content: { name: "Ada" } },
    ],
    ["are declined in the end", typed("Ada", "", "", "no"), "ask", { action: "decline" }],
    ["are cancelled by the end of the input", typed("Ada"), "ask", { action: "cancel" }],
    ["send people to URLs", typed("yes"), "visit", { action: "accept" }],
    ["send nobody to URLs who is not there", {}, "visit", { action: "decline" }],
  ] as const)("%s", async (_name, options, tool, expected) => {
    const { text } = await asked(call(tool), { target, ...options });
    expect(JSON.parse(text ?? "")).toEqual(expected);
  });

  test("show the URL", async () => {
    const { told } = await asked(call("visit"), { target });
    expect(told).toContain("it requests that you open https://pay.example/1");
    expect(told).toContain("  on the host pay.example");
  });

  test("for a model are rejected and reported", async () => {
    const told: string[] = [];
    const tell = (line: string) => told.push(line);
    await inspectServer({ target, request: call("write"), tell }).catch(() => undefined);
    expect(told).toContain("the server requests sampling: rejected, because mcpwright has no model");
  });
});

test("reports an invalid answer, and exits with an error", async () => {
  const notes: string[] = [];
  const onNote = ({ id, message }: { id: string; message: string }) => notes.push(`${id}: ${message}`);
  await asked(call("ask"), { answer: { age: "old" }, onNote });
  expect(notes).toEqual([expect.stringMatching(/^answer-invalid: .*\/(name|age) /)]);
});

describe("structured content is held against the output schema", () => {
  test.each(["2026-07-28", "2025-11-25", "2025-06-18"])("of a server of %s", async (revision) => {
    const target = weatherCommand({ revisions: [revision] });
    const { notes, result } = await asked(call("get-forecast", { city: "Hell" }), { target });
    expect(notes).toMatchObject([
      {
        id: "output-unfit",
        severity: "finding",
        message:
          "the structured content of the tool get-forecast does not match its output schema: /degrees must be a number",
      },
    ]);
    expect(result).toMatchObject({ structuredContent: { degrees: "hot" } });
  });

  test.each([
    ["fits", "Rome", "2025-11-25"],
    ["comes of a tool that fails", "Atlantis", "2025-11-25"],
    ["a revision does not have", "Hell", "2024-11-05"],
  ])("and nothing is said of what %s", async (_, city, revision) => {
    const { notes } = await asked(call("get-forecast", { city }), {
      target: weatherCommand({ revisions: [revision] }),
    });
    expect(notes).toEqual([]);
  });

  const output = { type: "object", properties: { a: { type: "integer", pattern: "(?i)x" } }, required: ["b"] };
  test.each<[string, unknown, unknown, string | undefined]>([
    ["what is missing", output, undefined, "output-unfit: it is missing"],
    ["several things", output, { a: "1" }, "output-unfit: /a must be an integer; /b is required"],
    ["patterns of other languages", output, { a: 1, b: 2 }, undefined],
    ["the whole", { enum: [1] }, "\u001b[31m", "output-unfit: / must be 1"],
    ["controls in names", { additionalProperties: false }, { "\u202ex": 1 }, "output-unfit: /\\u202ex is not allowed"],
    ["code in texts", { properties: { '"];throw 1;//': { const: "`${0}`" } } }, {}, undefined],
    [
      "content that goes beyond the bounds of a check",
      { $ref: "#/$defs/list", $defs: { list: { type: "array", items: { $ref: "#/$defs/list" } } } },
      JSON.parse("[".repeat(600) + "]".repeat(600)),
      "output-unchecked: it is nested too deeply, or validation takes too many steps",
    ],
    [
      "schemas that cannot be used",
      { $ref: "https://h.example/schema" },
      {},
      "output-unchecked: its output schema cannot be used: the JSON Schema Output has a reference that does not resolve: $ref at # is https://h.example/schema",
    ],
  ])("%s", async (_, schema, content, told) => {
    const note = await checkToolOutput("t", schema, content);
    expect(note && `${note.id}: ${note.message.slice(note.message.indexOf(": ") + 2)}`).toEqual(told);
  });
});

test("requests items that the server does not list", async () => {
  const notes: object[] = [];
  const refused = asked(call("get-forcast"), { onNote: (note) => notes.push(note) });
  await expect(refused).rejects.toMatchObject({ diagnostics: [{ id: "server-refused" }] });
  expect(notes).toMatchObject([{ id: "request-unlisted", hint: "Did you mean get-forecast?" }]);
});

test("a resource is watched until that is called off", async () => {
  const controller = new AbortController();
  const told: string[] = [];
  const url = await weatherUrl();
  const watching = inspectServer({
    target: [url],
    watch: "note:///today",
    signal: controller.signal,
    tell(line) {
      told.push(line);
      if (line.startsWith("watching")) void inspectServer({ target: [url], request: call("touch") });
      if (line.endsWith("has changed")) controller.abort();
    },
  });
  await watching;
  expect(told).toContain("watching note:///today; press Ctrl-C to stop");
  expect(told).toContain("note:///today has changed");
});

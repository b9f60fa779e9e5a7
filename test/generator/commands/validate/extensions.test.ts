import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadLayeredFacts } from "../../../../generator/commands/validate/own-revision.js";
import { validateConversation } from "../../../../generator/commands/validate/validate-conversation.js";
import { validate } from "../../../../generator/commands/validate/validate.js";
import { packageRoot } from "../../../../generator/shared/package-root.js";
import { Client } from "../../../../runtime/src/client.js";
import { McpServer } from "../../../../runtime/src/server.js";
import { tasks as clientTasks } from "../../../../runtime/src/tasks/client.js";
import { tasks } from "../../../../runtime/src/tasks.js";
import { Recorder } from "../../../../runtime/src/testing.js";
import { InMemoryTransport } from "../../../../runtime/src/transport/in-memory.js";
import { refusal, sandbox } from "../../shared/files/sandbox.js";
import { bytesOf, type RecordedTurn, recordOf, shown } from "./record.js";

const id = "io.modelcontextprotocol/tasks";
const rank = join(packageRoot().folder, "test/generator/pipeline/fixtures/rank");

test("a recorded task is a valid conversation with the extension, and none without", { timeout: 60_000 }, async () => {
  const recorder = new Recorder();
  const server = new McpServer({ name: "s", version: "1" }, { extensions: [tasks()] });
  server.registerTool("report", { task: { support: "required", pollIntervalMs: 1 } }, async (context) => {
    const { action } = await context.elicit("send", {
      mode: "form",
      message: "Send it?",
      requestedSchema: { type: "object", properties: {} },
    });
    return { content: [{ type: "text", text: action }] };
  });
  const client = new Client(
    { name: "c", version: "1" },
    { extensions: [clientTasks()], capabilities: { elicitation: { form: {} } }, trace: recorder.trace },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  onTestFinished(() => server.close(0));
  await client.connect(near);
  const { content } = await client.callTool({ name: "report" }, { task: true });
  expect(content).toEqual([{ type: "text", text: "accept" }]);
  await client.close();

  const source = (): AsyncGenerator<Uint8Array> => bytesOf(recorder.toJSONL(), 4_096);
  const report = await validate({ source: source(), extensions: [id] });
  expect(shown(report)).toEqual([]);
  expect(report).toMatchObject({ revision: "2026-07-28", extensions: [id] });
  const without = await validate({ source: source() });
  const rules = new Set(without.findings.map(({ rule }) => rule));
  expect(rules).toContain("method-unknown");
  expect(rules).toContain("result-alternative");
  expect(without.extensions).toBeUndefined();
});

const _meta = (extensions: object = { [id]: {} }): object => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { extensions },
});
const discovered = (extensions: object = { [id]: {} }): readonly RecordedTurn[] => [
  { "->": { id: 1, method: "server/discover", params: { _meta: _meta() } } },
  {
    "<-": {
      id: 1,
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {}, extensions },
        serverInfo: { name: "s", version: "1" },
        ttlMs: 0,
        cacheScope: "private",
      },
    },
  },
];
const created = { resultType: "task", taskId: "1", status: "working", createdAt: "2026-01-01T00:00:00Z", lastUpdatedAt: "2026-01-01T00:00:00Z", ttlMs: null }; // prettier-ignore

const call = (meta = _meta()): RecordedTurn => ({ "->": { id: 2, method: "tools/call", params: { name: "t", _meta: meta } } }); // prettier-ignore
const wrong: Readonly<Record<string, readonly [conversation: readonly RecordedTurn[], expected: readonly string[]]>> = {
  "params that do not match": [
    [...discovered(), { "->": { id: 3, method: "tasks/get", params: { taskId: 1, _meta: _meta() } } }],
    [
      "3 error[params] $.params.taskId: expected a string, received 1",
      "3 note[unanswered] $: tasks/get has no answer until the end",
    ],
  ],
  "params without what the revision requires": [
    [...discovered(), { "->": { id: 3, method: "tasks/get", params: { taskId: "1", _meta: {} } } }],
    [
      ...["protocolVersion: expected a string", "clientCapabilities: expected an object"].map(
        (line) =>
          `3 error[params] $.params._meta["io.modelcontextprotocol/${line.replace(":", '"]:')}, received nothing`,
      ),
      "3 note[unanswered] $: tasks/get has no answer until the end",
    ],
  ],
  "a created task that does not match": [
    [...discovered(), call(), { "<-": { id: 2, result: { ...created, status: "gone" } } }],
    [expect.stringMatching(/^4 error\[result\] \$\.result\.status: expected one of "working"/) as string],
  ],
  "a task for a client that did not declare the extension": [
    [...discovered(), call(_meta({})), { "<-": { id: 2, result: created } }],
    [
      `4 error[capability] $.result.resultType: the result "task" needs extensions.${id}, which the client has not declared`,
    ],
  ],
  "a request to a server that did not declare it": [
    [...discovered({}), { "->": { id: 3, method: "tasks/cancel", params: { taskId: "1", _meta: _meta() } } }],
    [
      `3 error[capability] $.method: tasks/cancel needs extensions.${id}, which the server has not declared`,
      "3 note[unanswered] $: tasks/cancel has no answer until the end",
    ],
  ],
  "a request of the wrong side": [
    [...discovered(), { "<-": { id: 3, method: "tasks/get", params: { taskId: "1" } } }],
    [
      "3 error[direction] $.method: tasks/get is a request that the client sends, not the server",
      "3 note[unanswered] $: tasks/get has no answer until the end",
    ],
  ],
};

describe("with an extension, findings are", { timeout: 60_000 }, () => {
  test.each(Object.entries(wrong))("%s", async (_, [conversation, expected]) => {
    const facts = await loadLayeredFacts([id], "2026-07-28");
    expect(shown(await validateConversation(bytesOf(recordOf(conversation), 4_096), facts))).toEqual(expected);
  });

  test("those of several extensions, also of one's own in a folder", async () => {
    const facts = await loadLayeredFacts([id, rank], undefined);
    const conversation: readonly RecordedTurn[] = [
      ...discovered({ [id]: {}, "com.example/rank": {} }),
      { "->": { id: 2, method: "tools/rank", params: { query: 1, _meta: _meta({ "com.example/rank": {} }) } } },
      { "<-": { id: 2, result: { resultType: "complete", tools: [] } } },
      { "->": { id: 3, method: "tasks/update", params: { taskId: "1", _meta: _meta() } } },
    ];
    const { findings, extensions } = await validateConversation(bytesOf(recordOf(conversation), 4_096), facts);
    expect(extensions).toEqual([id, "com.example/rank"]);
    expect(findings.map(({ line, rule, path }) => [line, rule, path])).toEqual([
      [3, "params", "$.params.query"],
      [5, "params", "$.params.inputResponses"],
      [5, "unanswered", "$"],
    ]);
  });
});

describe("an extension is refused when", () => {
  const source = (): AsyncGenerator<Uint8Array> => bytesOf(recordOf(discovered()), 4_096);
  test.each<[what: string, extensions: readonly string[], revision: string | undefined, error: RegExp]>([
    ["it is unknown", ["com.example/other"], undefined, /^extension-unknown: /],
    ["its file does not exist", ["none.ts"], undefined, /^input-not-found: cannot read none\.ts/],
    ["its overlay does not state the revision", [rank], "2025-11-25", /^extension-base-unknown: /],
    ["the revision is unknown", [rank], "1999-01-01", /^revision-unknown: /],
    ["it is passed twice", [rank, rank], undefined, /^extension-collision: /],
  ])("%s", async (_, extensions, revision, error) => {
    const run = validate({ source: source(), extensions, ...(revision !== undefined && { revision }) });
    expect(await refusal("/", run)).toEqual([expect.stringMatching(error)]);
  });

  test("its schema collides with the revision", async () => {
    const folder = join(sandbox(), "ext");
    mkdirSync(folder);
    const schema = readFileSync(join(rank, "schema.ts"), "utf8");
    writeFileSync(join(folder, "schema.ts"), `${schema}export interface Prompt {}\n`);
    writeFileSync(join(folder, "overlay.json"), readFileSync(join(rank, "overlay.json")));
    expect(await refusal(folder, validate({ source: source(), extensions: [folder] }))).toEqual([
      "extension-name-collision: Prompt is also a type of revision 2026-07-28, and differs from it",
    ]);
  });
});

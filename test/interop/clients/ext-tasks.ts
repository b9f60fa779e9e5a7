/** The official task client, on SDK 2.x. Argument: the target without a suite, as JSON. Prints the outcomes of the features. */
import { randomUUID } from "node:crypto";
import type { Transport as OurTransport } from "@mcpwright/runtime";
import { StreamableHTTPClientTransport as OurHttpTransport } from "@mcpwright/runtime/client/http";
import { StdioClientTransport as OurStdioTransport } from "@mcpwright/runtime/stdio";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type TaskEnabledSession,
  TaskFailedError,
  type TaskOptions,
  type TaskOutcome,
  type TaskView,
} from "@modelcontextprotocol/ext-tasks/client";
import { bindTaskReceiver } from "@modelcontextprotocol/ext-tasks/receiver";
import * as ours from "../comparison/ours.js";
import * as official from "../comparison/official.js";
import { rawDispatch } from "../comparison/raw-dispatch.js";
import { answers, type ToolResult } from "../driver.js";
import { expect, Failure, same, textOf, until } from "../feature.js";
import { type LogInFeature, report } from "../log-in/outcomes.js";
import { targetOf } from "../run.js";

const target = targetOf(process.argv[2]);
const isModern = target.revision >= "2026-07-28";
const clientInfo = { name: "ext-tasks", version: "1.0.0" };
/** The messages that were answered as tasks. */
const received: string[] = [];
let asked = 0;

async function open(capabilities: object): Promise<{ readonly client: Client; readonly transport: Transport }> {
  const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode: "auto" } });
  const transport = transportTo();
  return { client, transport };
}

async function connect(): Promise<{ readonly client: Client; readonly session: TaskEnabledSession }> {
  const { client, transport } = await open({ elicitation: {} });
  await client.connect(transport);
  const session = createTaskSessionFromClient(client, {
    endpointId: "interop",
    ...(isModern && {
      rawDispatch: rawDispatch(transport),
      v2RequestFraming: { protocolVersion: target.revision, clientInfo, clientCapabilities: { elicitation: {} } },
    }),
    onInputRequest: (async ({ kind }: { readonly kind: string }) => {
      if (kind !== "elicitation") throw new Failure(`unexpected question: ${kind}`);
      asked++;
      return answers.elicitation;
    }) as never,
  });
  return { client, session };
}

/** Connects a client that runs requests of the server as tasks. */
async function receive(): Promise<Client> {
  const requests = { sampling: { createMessage: {} }, elicitation: { create: {} } };
  const { client, transport } = await open({
    elicitation: {},
    sampling: {},
    tasks: { list: {}, cancel: {}, requests },
  });
  bindTaskReceiver(client, {
    methods: { "sampling/createMessage": true, "elicitation/create": true },
    pollIntervalMs: 100,
    sampling: async ({ method }) => {
      received.push(method);
      return answers.sampling;
    },
    elicitation: async ({ method }) => {
      received.push(method);
      return answers.elicitation;
    },
  });
  await client.connect(transport);
  return client;
}

function transportTo(): Transport {
  if (target.transport === "http") return new StreamableHTTPClientTransport(new URL(target.url ?? ""));
  const [program = "", ...args] = target.command ?? [];
  return new StdioClientTransport({ command: program, args, stderr: "ignore" });
}

function ourTransport(): OurTransport {
  if (target.transport === "http") return new OurHttpTransport(target.url ?? "");
  const [program = "", ...args] = target.command ?? [];
  return new OurStdioTransport({ command: program, args, stderr: "ignore" });
}

interface Called {
  readonly outcome: TaskOutcome<unknown>;
  /** The states of the task. */
  readonly seen: readonly TaskView[];
}

/** Calls a tool until it has ended. */
async function call(name: string, args: object = {}, task: TaskOptions = { preference: "require" }): Promise<Called> {
  const { session } = await connected;
  const execution = await session.callTool(name, { ...args }, { task, ...declarations[name] });
  expect(`${name} did not run as a task`, execution.kind === "task", execution.kind);
  const seen: TaskView[] = [];
  const { outcome } = await execution.settle({
    onEvent: (event) => {
      if (event.type === "task") seen.push(event.task);
    },
  });
  return { outcome, seen };
}

const resultOf = ({ outcome }: Called): ToolResult => resultFromTaskOutcome(outcome) as ToolResult;

/** What the list of tools says about tasks. */
const declarations: Record<string, object> = {};

async function declareTools(): Promise<void> {
  const { client } = await connected;
  const { tools } = await client.request({ method: "tools/list", params: {} });
  for (const { name, inputSchema, execution } of tools as readonly {
    name: string;
    inputSchema: object;
    execution?: { taskSupport?: string };
  }[])
    declarations[name] = {
      declaration: { name, inputSchema, ...(execution?.taskSupport && { taskSupport: execution.taskSupport }) },
    };
}

const connected = connect();

const common: readonly LogInFeature[] = [
  [
    "opening",
    async () => {
      const { client, session } = await connected;
      same("the revision", client.getNegotiatedProtocolVersion(), target.revision);
      same("execution of tasks", session.capabilities.execution, true);
      await declareTools();
    },
  ],
  ["optional task", async () => same("the text", textOf(resultOf(await call("optional"))), "done")],
  ["required task", async () => same("the text", textOf(resultOf(await call("required"))), "done")],
  [
    "question in mid-flight",
    async () => {
      const before = asked;
      same("the text", textOf(resultOf(await call("ask"))), "The user is Ada");
      same("the number of questions", asked - before, 1);
    },
  ],
  [
    "cancelled task",
    async () => {
      const { session } = await connected;
      const key = randomUUID();
      const task = { preference: "require" } as const;
      const execution = await session.callTool("wait", { key }, { task, ...declarations["wait"] });
      const fate = async (): Promise<string> => {
        const plain = await session.callTool("fate", { key }, { ...declarations["fate"] });
        return textOf(resultFromTaskOutcome((await plain.settle()).outcome) as ToolResult);
      };
      await until(
        async () => (await fate()) === "waiting",
        () => "the tool has not started",
      );
      await execution.cancel();
      same("the outcome", (await execution.result()).status, "cancelled");
      await until(
        async () => (await fate()) === "aborted",
        () => "the tool was not aborted",
      );
    },
  ],
  [
    "failed task",
    async () => {
      const { outcome } = await call("fail");
      if (outcome.status !== "failed") throw new Failure(`the task is ${outcome.status}`);
      // In 2025-11-25, this client reads the message of the status, and not the error.
      const { code, message, data } = outcome.error;
      same(
        "the error",
        [code, message, data],
        isModern ? [-32000, "No more paper", { tray: 2 }] : [null, "No more paper", null],
      );
    },
  ],
  [
    "task with isError",
    async () => {
      const { outcome } = await call("fail-softly");
      const text = "It failed on purpose";
      if (outcome.status === "failed") same("the message", outcome.error.message, isModern ? undefined : text);
      else {
        const { content, isError } = resultOf({ outcome, seen: [] });
        same("the result", [content[0]?.text, isError, isModern], [text, true, true]);
      }
    },
  ],
  [
    // The programs of docs/guide/migrating-tasks.md.
    "comparison in the guide",
    async () => {
      for (const report of [() => official.report(transportTo()), () => ours.report(ourTransport())])
        same("the text", textOf((await report()) as ToolResult), "2026: The user is Ada");
    },
  ],
  [
    "lifetime of a task",
    async () => {
      const { seen } = await call("optional", {}, { preference: "require", ...(!isModern && { retentionMs: 60_000 }) });
      same("the lifetime", seen[0]?.retentionMs, isModern ? 3_600_000 : 60_000);
      same("the interval", seen[0]?.suggestedPollIntervalMs, 100);
    },
  ],
];

/** What only 2025-11-25 has. */
const core: readonly LogInFeature[] = (
  [
    ["sampling as a task", "ask-model-as-task", "The model said Well thought", "sampling/createMessage"],
    ["elicitation as a task", "ask-name-as-task", "The user is Ada", "elicitation/create"],
  ] as const
).map(([name, tool, text, method]) => [
  name,
  async () => {
    const client = await receive();
    same("the text", textOf((await client.callTool({ name: tool })) as ToolResult), text);
    same("what the receiver ran", received.splice(0), [method]);
    await client.close();
  },
]);

await report([...common, ...(isModern ? [] : core)]);

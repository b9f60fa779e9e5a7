import { clientSides } from "@mcpwright/protocol/client-sides";
import { SdkError } from "@mcpwright/runtime";
import { Client } from "@mcpwright/runtime/client";
import {
  type FetchLike,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@mcpwright/runtime/client/http";
import { authorizationBehaviours } from "./authorization-behaviours.js";
import { type Behaviour, failure, type LeftOut, type OpenOptions, type Outcome, type Peer, same } from "./behaviour.js";

export type { LeftOut } from "./behaviour.js";

const legacy = "2024-11-05";
const sessions = ["2025-03-26", "2025-06-18", "2025-11-25"];
const stateless = "2026-07-28";
const streamable = [...sessions, stateless];
const all = [legacy, ...streamable];
/** One revision for each of HTTP+SSE, sessions, and no sessions. */
const kinds = [legacy, "2025-11-25", stateless];

/** How long one behaviour may take, in milliseconds. */
const patienceMs = 20_000;

const texts = [
  "Grüße, 你好, שלום",
  "😀 👩‍👩‍👧 𝒳",
  "a\u2028b\u2029c\u0085d",
  'a\nb\r\nc\td\0e\u001ff"g\\h\u007f\ufeff',
  "half a pair: \ud83d, and the other: \ude00",
  "data: x\n\nevent: y\n\n",
];

/** Created when the program is loaded, when some hosts restrict what programs can do. */
const early = new Client({ name: "early", version: "1.0.0" });

const behaviours: readonly Behaviour[] = [
  {
    name: "negotiates the newest revision",
    revisions: [stateless],
    async run({ url }) {
      await early.connect(new StreamableHTTPClientTransport(url));
      same("the negotiated revision", early.getNegotiatedProtocolVersion(), stateless);
      await early.close();
    },
  },
  {
    name: "carries calls and results",
    revisions: all,
    async run({ open }) {
      const { call, client } = await open();
      same("the result", await call("echo", { value: { list: [1, null, "x"] } }), { list: [1, null, "x"] });
      const { tools } = await client.listTools();
      same("the first tool", tools[0]?.name, "echo");
    },
  },
  {
    name: "returns the right result for each of 100 concurrent calls",
    revisions: kinds,
    async run({ open }) {
      const { call } = await open();
      const numbers = Array.from({ length: 100 }, (_, at) => at);
      same("the results", await Promise.all(numbers.map((value) => call("echo", { value }))), numbers);
    },
  },
  {
    name: "keeps the order of 1,000 notifications",
    revisions: all,
    async run({ open }) {
      const { call, client } = await open();
      const logged = logs(client);
      await client.setLoggingLevel("info");
      await call("log", { count: 1_000 });
      same(
        "the messages before the result",
        logged,
        Array.from({ length: 1_000 }, (_, at) => at),
      );
    },
  },
  {
    name: "keeps every character",
    revisions: kinds,
    async run({ open }) {
      const { call } = await open();
      for (const value of texts) same("the text", await call("echo", { value }), value);
    },
  },
  {
    name: "carries 1 MB",
    revisions: kinds,
    async run({ open }) {
      const { call } = await open();
      const value = "0123456789abcdé\n".repeat(2 ** 16);
      same("the text", await call("echo", { value }), value);
    },
  },
  {
    name: "reports progress before the result",
    revisions: all,
    async run({ open }) {
      const { call } = await open();
      const heard: unknown[] = [];
      await call("progress", {}, { onProgress: ({ progress }) => heard.push(progress) });
      same("the progress", heard, [1, 2]);
    },
  },
  {
    name: "lets the server ask the user during a call",
    revisions: ["2025-06-18", "2025-11-25", stateless],
    async run({ open }) {
      const { call, client } = await open({ capabilities: { elicitation: {} } });
      client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
      same("the answer that the tool received", await call("ask"), { action: "accept", content: { name: "Ada" } });
    },
  },
  {
    name: "sends change notifications outside of requests",
    revisions: all,
    async run({ open }) {
      const { call, client } = await open();
      const other = await open();
      const heard = new Set<string>();
      client.onChanged("tools", () => heard.add("tools"));
      await client.subscribeResource({ uri: "test://resource" }, (uri) => heard.add(uri));
      // A stream that is not open yet can miss the first change.
      await until("both changes are received", async () => {
        await other.call("change");
        await sleep(20);
        return heard.size === 2;
      });
      same("a further call", await call("echo", { value: 1 }), 1);
    },
  },
  {
    name: "resumes a stream that was cut",
    revisions: ["2025-06-18", "2025-11-25"],
    async run({ open, revision }) {
      const cuts = { left: 3 };
      const reconnectionOptions = { initialReconnectionDelay: 20 };
      const { call, client } = await open({ transport: { fetch: cutting(cuts), reconnectionOptions } });
      const logged = logs(client);
      await client.setLoggingLevel("info");
      await call("log-slowly", { count: 60 });
      same(
        "the messages before the result",
        logged,
        Array.from({ length: 60 }, (_, at) => at),
      );
      same(`the remaining cuts in ${revision}`, cuts.left, 0);
    },
  },
  {
    name: "aborts the handler when its call is cancelled",
    revisions: all,
    async run({ open }) {
      const { call } = await open();
      const key = crypto.randomUUID();
      const cancel = new AbortController();
      const waiting = failure(call("wait", { key }, { signal: cancel.signal }));
      await until("the handler runs", async () => (await call("fate", { key })) === "waiting");
      cancel.abort();
      same("whether the call failed", (await waiting) !== undefined, true);
      await until("the handler is aborted", async () => (await call("fate", { key })) === "aborted");
    },
  },
  {
    name: "aborts the handler when the client disconnects during the response",
    revisions: [stateless],
    async run({ open }) {
      const { call, client } = await open();
      const logged = logs(client);
      await client.setLoggingLevel("info");
      const key = crypto.randomUUID();
      const leave = new AbortController();
      const waiting = failure(call("wait", { key }, { signal: leave.signal }));
      await until("the response has begun", () => logged.length > 0);
      leave.abort();
      await waiting;
      await until("the handler is aborted", async () => (await call("fate", { key })) === "aborted");
    },
  },
  {
    name: "keeps silent streams open with comments",
    revisions: [legacy, "2025-11-25"],
    async run({ open, url, revision }) {
      const { transport } = await open();
      const ofSession = { "mcp-protocol-version": revision, "mcp-session-id": transport.sessionId ?? "" };
      const headers = { accept: "text/event-stream", ...(revision !== legacy && ofSession) };
      const { status, body } = await fetch(url, { headers });
      same("the status", status, 200);
      const reader = readerOf(body);
      let comments = 0;
      for (const decoder = new TextDecoder(); comments < 4;) {
        const { done, value } = await reader.read();
        if (done) throw new Error("the stream ended");
        comments += decoder.decode(value).match(/^:/gm)?.length ?? 0;
      }
      await reader.cancel();
    },
  },
  {
    name: "ends the session when the client closes",
    revisions: sessions,
    async run({ open, url, revision }) {
      const ends: unknown[] = [];
      const { client, transport } = await open({ onclose: (error) => ends.push(error?.message) });
      const { sessionId = "" } = transport;
      const ping = (): Promise<number> => postPing(url, revision, sessionId);
      same("the status while the session is open", await ping(), 200);
      await client.close();
      same("the status afterwards", await ping(), 404);
      same("the arguments of onclose", ends, [undefined]);
    },
  },
  {
    name: "opens a new session after the server has ended the old one",
    revisions: sessions,
    async run({ open }) {
      const { call, transport } = await open();
      const { sessionId } = transport;
      const error = await failure(call("hang-up"));
      same("the error's code", error instanceof SdkError && error.code, "SESSION_LOST");
      await until("a new session is open", () =>
        call("echo", { value: 1 }).then(
          () => true,
          () => false,
        ),
      );
      same("whether the session is new", transport.sessionId !== undefined && transport.sessionId !== sessionId, true);
    },
  },
  {
    name: "reports to the client that the stream has ended permanently",
    revisions: [legacy],
    async run({ open }) {
      const ends: unknown[] = [];
      const { call } = await open({ onclose: (error) => ends.push(error instanceof Error) });
      await failure(call("hang-up"));
      await until("onclose is called", () => ends.length > 0);
      await sleep(30);
      same("the arguments of onclose", ends, [true]);
    },
  },
  {
    name: "rejects calls after the client is closed",
    revisions: all,
    async run({ open }) {
      const { call, client, transport } = await open();
      await client.close();
      await client.close();
      const error = await failure(call("echo", { value: 1 }));
      same("the error's code", error instanceof SdkError && error.code, "NOT_CONNECTED");
      const sent = await failure(Promise.resolve().then(() => transport.send({ jsonrpc: "2.0", method: "test/late" })));
      same("the error's code, from the transport", sent instanceof SdkError && sent.code, "NOT_CONNECTED");
    },
  },
  ...authorizationBehaviours,
];

/** Runs every behaviour in every revision that has it, except those in `leftOut`. */
export async function runSuite(url: string, leftOut: readonly LeftOut[] = []): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const behaviour of behaviours)
    for (const revision of behaviour.revisions)
      if (!leftOut.some((one) => one.behaviour === behaviour.name && one.revision === revision))
        outcomes.push(await outcomeOf(behaviour, url, revision));
  return outcomes;
}

async function outcomeOf({ name, run }: Behaviour, url: string, revision: string): Promise<Outcome> {
  const clients: Client[] = [];
  const open = async ({ at = url, transport: settings, ...options }: OpenOptions = {}): Promise<Peer> => {
    const revisions = clientSides.filter((side) => side.revision === revision);
    const client = new Client({ name: "suite", version: "1.0.0" }, { ...options, revisions });
    clients.push(client);
    const transport =
      revision === legacy
        ? new SSEClientTransport(at)
        : new StreamableHTTPClientTransport(at, { ...quick, ...settings });
    await client.connect(transport);
    same("the negotiated revision", client.getNegotiatedProtocolVersion(), revision);
    const call: Peer["call"] = async (tool, args = {}, call) => {
      const { content, isError } = await client.callTool({ name: tool, arguments: { ...args } }, call);
      const text = content[0]?.type === "text" ? content[0].text : "";
      if (isError) throw new Error(text);
      return JSON.parse(text) as unknown;
    };
    return { client, transport, call };
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${patienceMs} ms`)), patienceMs);
  });
  try {
    await Promise.race([run({ url, revision, open }), late]);
    return { behaviour: name, revision };
  } catch (error) {
    return {
      behaviour: name,
      revision,
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  } finally {
    clearTimeout(timer);
    await Promise.allSettled(clients.map((client) => client.close()));
  }
}

const quick: StreamableHTTPClientTransportOptions = { reconnectionOptions: { initialReconnectionDelay: 50 } };

function logs(client: Client): unknown[] {
  const logged: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ data }: { data: unknown }) => logged.push(data));
  return logged;
}

async function postPing(url: string, revision: string, sessionId: string): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-session-id": sessionId,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: "ping", method: "ping" }),
  });
  await response.text();
  return response.status;
}

/** Sends requests, and breaks some streams of messages after a few events. */
function cutting(cuts: { left: number }): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const isStream = response.headers.get("content-type") === "text/event-stream";
    if (!isStream || cuts.left === 0) return response;
    const reader = readerOf(response.body);
    let chunks = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await reader.read();
        if (value) controller.enqueue(value);
        if (done) controller.close();
        if (done || ++chunks < 8 || cuts.left === 0) return;
        cuts.left--;
        await reader.cancel();
        controller.error(new TypeError("cut"));
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(body, response);
  };
}

function readerOf(body: Response["body"]): ReadableStreamDefaultReader<Uint8Array> {
  if (!body) throw new Error("the response has no body");
  return body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs / 2;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`timed out waiting until ${what}`);
    await sleep(5);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Handlers that wait for input in the stateless era: the answers may reach another node. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MemoryBackplane } from "../../../runtime/src/backplane.js";
import type { Principal, Transport } from "../../../runtime/src/index.js";
import { serialize } from "../../../runtime/src/jsonrpc/serialize.js";
import { McpServer, type ServerContext } from "../../../runtime/src/server.js";

const key = { id: "k", key: new Uint8Array(32).fill(7) };
const ada: Principal = { issuer: "https://issuer.example", subject: "ada" };
const requestedSchema = { type: "object" as const, properties: { name: { type: "string" as const } } };

interface Response {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown> & { requestState?: string; inputRequests?: Record<string, unknown> };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server at a node of its own. */
function nodeOf(backplane: MemoryBackplane, handler?: (context: ServerContext) => Promise<string>) {
  const calls: string[] = [];
  const errors: Error[] = [];
  const server = new McpServer(
    { name: "shared", version: "1.0.0" },
    {
      backplane,
      stateKeys: [key],
      capabilities: { logging: {} },
      onerror: (error) => errors.push(error),
      middleware: [
        (context, next) => {
          calls.push(context.method);
          return next();
        },
      ],
    },
  );
  server.registerTool("greet", {}, async (context) => ({
    content: [{ type: "text", text: handler ? await handler(context) : await ask(context, "name") }],
  }));
  onTestFinished(() => server.close(0));
  return { server, calls, errors };
}

async function ask(context: ServerContext, name: string): Promise<string> {
  const { content } = await context.elicit(name, { message: "Who?", requestedSchema });
  return String((content as { name?: string } | undefined)?.name);
}

let ids = 0;

/** Sends one call as a request of its own, as over HTTP. */
function send(server: McpServer, more: object = {}, principal?: Principal) {
  const messages: Response[] = [];
  let receive: (response: Response) => void;
  const answer = new Promise<Response>((resolve) => (receive = resolve));
  const end: Transport = {
    isStateless: true,
    start: () => Promise.resolve(),
    send(message) {
      const received = JSON.parse(serialize(message)) as Response;
      messages.push(received);
      if (received.id === id) receive(received);
    },
    close: () => Promise.resolve(end.onclose?.()),
  };
  const id = ++ids;
  const connection = server.server.accept(end);
  onTestFinished(() => connection.close());
  const params = {
    name: "greet",
    arguments: {},
    ...more,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      "io.modelcontextprotocol/logLevel": "debug",
    },
  };
  end.onmessage?.({ jsonrpc: "2.0", id, method: "tools/call", params }, { principal });
  const cancel = (): void =>
    end.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }, {});
  return { answer, messages, cancel, connection };
}

const accepted = (name: string): object => ({ action: "accept", content: { name } });

/** The retry of a call, with the answer to its question. */
function retryOf({ result }: Response, name: string): object {
  const [question = ""] = Object.keys(result?.inputRequests ?? {});
  return { requestState: result?.requestState, inputResponses: { [question]: accepted(name) } };
}

const textOf = ({ result }: Response): unknown => (result?.["content"] as { text: string }[] | undefined)?.[0]?.text;
const settle = (ms = 50): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("a retry at another node", () => {
  test("resumes the handler, and its client gets the result; middleware runs where the handler waits", async () => {
    const backplane = new MemoryBackplane();
    const [a, b] = [nodeOf(backplane), nodeOf(backplane)];
    await settle();
    const first = await send(a.server, {}, ada).answer;
    expect(first.result?.["resultType"]).toBe("input_required");
    const second = await send(b.server, retryOf(first, "Ann"), ada).answer;
    expect(textOf(second)).toBe("Ann");
    expect(second.result).toMatchObject({ resultType: "complete" });
    expect([a.calls, b.calls]).toEqual([["tools/call", "tools/call"], []]);
    expect([...a.errors, ...b.errors]).toEqual([]);
  });

  test("several rounds, each at another node", async () => {
    const backplane = new MemoryBackplane();
    const handler = async (context: ServerContext): Promise<string> => {
      const names: string[] = [];
      for (const question of ["one", "two", "three"]) names.push(await ask(context, question));
      return names.join(" ");
    };
    const [a, b, c] = [nodeOf(backplane, handler), nodeOf(backplane, handler), nodeOf(backplane, handler)];
    await settle();
    let response = await send(a.server).answer;
    for (const [at, { server }] of [b, c, a].entries())
      response = await send(server, retryOf(response, `n${at}`)).answer;
    expect(textOf(response)).toBe("n0 n1 n2");
  });

  test("messages before the result arrive in their order", async () => {
    const backplane = new MemoryBackplane();
    const handler = async (context: ServerContext): Promise<string> => {
      const name = await ask(context, "name");
      for (let number = 0; number < 20; number++) context.log("info", number);
      return name;
    };
    const [a, b] = [nodeOf(backplane, handler), nodeOf(backplane, handler)];
    await settle();
    const first = await send(a.server).answer;
    const { answer, messages } = send(b.server, retryOf(first, "Ann"));
    expect(textOf(await answer)).toBe("Ann");
    const logged = messages
      .filter(({ method }) => method === "notifications/message")
      .map(({ params }) => params?.["data"]);
    expect(logged).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(messages.at(-1)).toMatchObject({ result: {} });
  });

  test("errors of the handler arrive", async () => {
    const backplane = new MemoryBackplane();
    const handler = async (context: ServerContext): Promise<string> => {
      await ask(context, "name");
      throw new Error("no such name");
    };
    const [a, b] = [nodeOf(backplane, handler), nodeOf(backplane, handler)];
    await settle();
    const first = await send(a.server).answer;
    const { result } = await send(b.server, retryOf(first, "Ann")).answer;
    expect(result).toMatchObject({ isError: true });
  });

  test("an invalid answer is asked for again, and rejected the second time", async () => {
    const backplane = new MemoryBackplane();
    const [a, b] = [nodeOf(backplane), nodeOf(backplane)];
    await settle();
    const first = await send(a.server).answer;
    const wrong = {
      requestState: first.result?.requestState,
      inputResponses: { name: { action: "accept", content: { name: 7 } } },
    };
    const second = await send(b.server, wrong).answer;
    expect(second.result?.["resultType"]).toBe("input_required");
    const again = { requestState: second.result?.requestState, inputResponses: wrong.inputResponses };
    expect((await send(b.server, again).answer).error?.code).toBe(-32602);
  });

  test("of two retries at two nodes, one resumes the handler", async () => {
    const backplane = new MemoryBackplane();
    const [a, b, c] = [nodeOf(backplane), nodeOf(backplane), nodeOf(backplane)];
    await settle();
    const first = await send(a.server).answer;
    const retries = [b, c, a].map(({ server }) => send(server, retryOf(first, "Ann")).answer);
    const responses = await Promise.all(retries);
    expect(responses.map(({ error }) => error?.code).sort()).toEqual([-32602, -32602, undefined]);
    expect(responses.map(textOf).filter(Boolean)).toEqual(["Ann"]);
  });

  test("of another principal is rejected where it arrives", async () => {
    const backplane = new MemoryBackplane();
    const [a, b] = [nodeOf(backplane), nodeOf(backplane)];
    await settle();
    const first = await send(a.server, {}, ada).answer;
    const foreign = await send(b.server, retryOf(first, "Eve"), { ...ada, subject: "eve" }).answer;
    expect(foreign.error?.code).toBe(-32602);
    expect(a.calls).toHaveLength(1);
    expect(textOf(await send(b.server, retryOf(first, "Ann"), ada).answer)).toBe("Ann");
  });

  test("whose client leaves aborts the handler", async () => {
    const backplane = new MemoryBackplane();
    const aborted = vi.fn();
    let works = false;
    const handler = async (context: ServerContext): Promise<string> => {
      await ask(context, "name");
      context.signal.addEventListener("abort", aborted);
      works = true;
      return new Promise(() => undefined);
    };
    const [a, b] = [nodeOf(backplane, handler), nodeOf(backplane, handler)];
    await settle();
    const first = await send(a.server).answer;
    const { cancel, messages } = send(b.server, retryOf(first, "Ann"));
    await vi.waitFor(() => expect(works).toBe(true));
    cancel();
    await vi.waitFor(() => expect(aborted).toHaveBeenCalled());
    expect(messages).toEqual([]);
  });
});

test("a client that leaves while its call is passed on, or whose call cannot be passed on, leaves no rejection behind", async () => {
  const backplane = new MemoryBackplane();
  const [a, b] = [nodeOf(backplane), nodeOf(backplane)];
  const [left, failing] = [await send(a.server).answer, await send(a.server).answer];
  const append = backplane.append.bind(backplane);
  let deliver = (): void => undefined;
  const delivered = new Promise<void>((resolve) => (deliver = resolve));
  const slow = vi
    .spyOn(backplane, "append")
    .mockImplementation(((...entry: Parameters<typeof append>) => delivered.then(() => append(...entry))) as never);
  const { cancel, messages } = send(b.server, retryOf(left, "Ann"));
  await vi.waitFor(() => expect(slow).toHaveBeenCalled());
  cancel();
  deliver();
  await settle(200);
  expect(messages).toEqual([]);
  slow.mockImplementation(() => {
    throw new Error("the backplane is away");
  });
  expect((await send(b.server, retryOf(failing, "Ann")).answer).error?.code).toBe(-32603);
  await vi.waitFor(() => expect(b.errors.map(({ message }) => message)).toContain("the backplane is away"));
});

/** Advances a fake clock until a response arrives, while other work goes on. */
async function advanceUntil(answer: Promise<Response>): Promise<Response> {
  for (;;) {
    await vi.advanceTimersByTimeAsync(1_000);
    const other = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
    const response = await Promise.race([answer, other]);
    if (response) return response;
  }
}

describe("a node that has gone", () => {
  test("closed: its calls are over, and the retry gets an error in time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    try {
      const backplane = new MemoryBackplane();
      const [a, b] = [nodeOf(backplane), nodeOf(backplane)];
      await vi.advanceTimersByTimeAsync(50);
      const first = await send(a.server).answer;
      await a.server.close(0);
      const { answer } = send(b.server, retryOf(first, "Ann"));
      expect((await advanceUntil(answer)).error).toEqual({
        code: -32603,
        message: "The process that runs the call no longer responds",
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test("a long call stays: its node says that it is alive", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const backplane = new MemoryBackplane();
      let finish: (() => void) | undefined;
      const handler = async (context: ServerContext): Promise<string> => {
        const name = await ask(context, "name");
        await new Promise<void>((resolve) => (finish = resolve));
        return name;
      };
      const [a, b] = [nodeOf(backplane, handler), nodeOf(backplane, handler)];
      await vi.advanceTimersByTimeAsync(50);
      const first = await send(a.server).answer;
      const { answer } = send(b.server, retryOf(first, "Ann"));
      await vi.waitFor(() => expect(finish).toBeDefined());
      for (let seconds = 0; seconds < 60; seconds += 4) await vi.advanceTimersByTimeAsync(4_000);
      finish?.();
      expect(textOf(await answer)).toBe("Ann");
    } finally {
      vi.useRealTimers();
    }
  });
});

test("nonsense in an inbox is ignored or reported, and the node lives", async () => {
  const backplane = new MemoryBackplane();
  const [a, b] = [nodeOf(backplane), nodeOf(backplane)];
  await settle();
  const inbox = `inbox:${a.server.server.node?.id}`;
  const bounds = { ttlMs: 1_000, maxEntries: 100 };
  for (const text of ["{", "[]", "7", '{"type":"what"}', '{"type":"cancel","id":1}', '{"type":"response","id":"x"}'])
    backplane.append(inbox, text, bounds);
  backplane.append(inbox, JSON.stringify({ type: "call", id: "1", from: "nowhere", method: "tools/call" }), bounds);
  await settle();
  const first = await send(a.server).answer;
  expect(textOf(await send(b.server, retryOf(first, "Ann")).answer)).toBe("Ann");
});

import { PassThrough } from "node:stream";
import { z } from "zod";
import { InMemoryTransport, ProtocolError, ResourceNotFoundError } from "../../runtime/src/index.js";
import {
  inputRequired,
  McpServer,
  type McpServerOptions,
  ResourceTemplate,
  type ServerConnection,
} from "../../runtime/src/server.js";
import { type StdioOptions, StdioServerTransport } from "../../runtime/src/stdio.js";

/** Must never be in a message; it is in the environment and in the errors that handlers throw. */
export const MARKER = "marker-5f1c9a";
process.env["HOSTILE_MARKER"] = MARKER;

export type TransportName = "in-memory" | "stdio";

/** The raw end of a client: it checks nothing and sends no responses by itself. */
export interface RawPeer {
  readonly connection: ServerConnection;
  /** All received messages, as text. */
  readonly texts: string[];
  /** Whether the other side closed the transport. */
  isClosed(): boolean;
  send(value: unknown): void;
  /** Stdio only. */
  write(bytes: Uint8Array | string): void;
  /** Stdio only: ends the input. */
  endInput(): void;
  close(): Promise<void>;
}

/** A server whose handlers misbehave. */
export function hostileHandlers(options: McpServerOptions = {}): { server: McpServer; reports: Error[] } {
  const reports: Error[] = [];
  const server = new McpServer(
    { name: "subject", version: "1.0.0" },
    { onerror: (error) => void reports.push(error), capabilities: { logging: {} }, ...options },
  );
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  const secretive = (message: string): Error =>
    Object.assign(new Error(message, { cause: new Error(MARKER) }), { password: MARKER });
  const anything = (value: unknown): never => value as never;
  const any = z.looseObject({});

  server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) =>
    text(String(a + b)),
  );
  server.registerTool("keys", { inputSchema: any }, (args) =>
    text(JSON.stringify([Object.keys(args), Object.getPrototypeOf(args) === Object.prototype])),
  );
  server.registerTool("echo", { inputSchema: any }, (args) => ({ ...text("echo"), structuredContent: args }));
  server.registerTool("hang", {}, ({ signal }) => {
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  });
  server.registerTool("deaf", {}, () => new Promise(() => undefined));
  server.registerTool("report", {}, (context) => {
    context.progress({ progress: 1 });
    return text("done");
  });
  server.registerTool("throw-error", {}, () => {
    throw secretive("the disk is full");
  });
  server.registerTool("throw-late", {}, async () => {
    await Promise.resolve();
    throw secretive("the disk is full");
  });
  server.registerTool("throw-text", {}, () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw "just text";
  });
  server.registerTool("throw-nothing", {}, () => {
    throw Object.create(null);
  });
  server.registerTool("throw-protocol-error", {}, () => {
    throw new ProtocolError(4001, "not today", { retryAfter: 60 });
  });
  server.registerTool("throw-circular-data", {}, () => {
    throw new ProtocolError(4001, "not today", circular());
  });
  server.registerTool("throw-fractional-code", {}, () => {
    throw new ProtocolError(0.5, "half an error");
  });
  server.registerTool("return-nothing", {}, () => anything(undefined));
  server.registerTool("return-text", {}, () => anything("text"));
  server.registerTool("return-empty", {}, () => anything({}));
  server.registerTool("return-wrong-content", {}, () => anything({ content: "text" }));
  server.registerTool("return-circular", {}, () => anything({ content: [], structuredContent: circular() }));
  server.registerTool("return-bigint", {}, () => anything({ content: [], structuredContent: { n: 1n } }));
  server.registerTool("return-throwing-json", {}, () =>
    anything({ content: [], structuredContent: new ThrowsAsJson() }),
  );
  server.registerTool("return-thenable", {}, () =>
    anything({
      then() {
        throw secretive("then");
      },
    }),
  );
  server.registerTool("break-output", { outputSchema: z.object({ n: z.number() }) }, () => ({
    structuredContent: { n: MARKER as never },
  }));
  server.registerTool("ask", { inputSchema: z.object({ what: z.string() }) }, ({ what }, context) => {
    const answer = context.inputResponses?.["name"];
    if (answer) return text(`${what}: ${JSON.stringify(answer)}`);
    const question = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } };
    return inputRequired({ inputRequests: { name: inputRequired.elicit(question as never) }, requestState: "mine" });
  });
  server.registerTool("wait", {}, async (context) => {
    const question = { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } };
    return text(JSON.stringify(await context.elicit("name", question as never)));
  });

  const user = (value: string) => ({
    messages: [{ role: "user" as const, content: { type: "text" as const, text: value } }],
  });
  server.registerPrompt("greet", { argsSchema: z.looseObject({}), complete: { name: () => ["Ada"] } }, (args) =>
    user(JSON.stringify(Object.keys(args))),
  );
  server.registerPrompt("throw", {}, () => {
    throw secretive(`${MARKER} in ${process.cwd()}`);
  });
  server.registerPrompt("return-nothing", {}, () => anything(undefined));

  server.registerResource("known", "test://known", {}, () => ({ contents: [] }));
  server.registerResource("throw", "test://throw", {}, () => {
    throw secretive(`${MARKER} in ${process.cwd()}`);
  });
  server.registerResource("gone", "test://gone", {}, ({ href }) => {
    throw new ResourceNotFoundError(href);
  });
  server.registerResource("item", new ResourceTemplate("item://{+path}/{name}{?q*}"), {}, (uri, variables) => ({
    contents: [{ uri: uri.href, text: JSON.stringify(Object.keys(variables)) }],
  }));
  server.registerResource("many", new ResourceTemplate("many://x{/a*}{/b*}{/c*}{/d*}/end"), {}, (uri) => ({
    contents: [{ uri: uri.href, text: "matched" }],
  }));

  server.server.handle({ "notifications/roots/list_changed": () => undefined });
  return { server, reports };
}

class ThrowsAsJson {
  toJSON(): never {
    throw new Error(MARKER);
  }
}

function circular(): object {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

/** @param options of the stdio transport */
export function connectRaw(
  server: McpServer,
  transport: TransportName,
  options: Pick<StdioOptions, "maxDepth"> = {},
): Promise<RawPeer> {
  return transport === "stdio" ? connectStreams(server, options) : connectInMemory(server);
}

async function connectInMemory(server: McpServer): Promise<RawPeer> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const texts: string[] = [];
  let closed = false;
  near.onmessage = (message) => void texts.push(JSON.stringify(message));
  near.onclose = () => (closed = true);
  await near.start();
  const connection = await server.connect(far);
  return {
    connection,
    texts,
    isClosed: () => closed,
    // Any value crosses as its JSON text.
    send: (value) => near.send({ toJSON: () => value } as never),
    write: () => {
      throw new Error("there are no bytes in memory");
    },
    endInput: () => undefined,
    close: () => near.close(),
  };
}

async function connectStreams(server: McpServer, options: StdioOptions): Promise<RawPeer> {
  const stdin = new PassThrough({ highWaterMark: 2 ** 20 });
  const stdout = new PassThrough();
  const texts: string[] = [];
  let rest = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    texts.push(...lines);
  });
  const connection = await server.connect(new StdioServerTransport(stdin, stdout, options));
  return {
    connection,
    texts,
    isClosed: () => stdout.writableEnded || stdout.destroyed,
    send: (value) => void stdin.write(`${JSON.stringify(value)}\n`),
    write: (bytes) => void stdin.write(bytes),
    endInput: () => void stdin.end(),
    close: () => connection.close(),
  };
}

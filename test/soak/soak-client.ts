import { clientSides } from "@mcpwright/protocol/client-sides";
import { Client } from "../../runtime/src/client.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import { SdkError, type Trace } from "../../runtime/src/index.js";
import { StdioClientTransport } from "../../runtime/src/stdio.js";
import { cuttingFetch } from "./cutting-fetch.js";
import type { ClientPlan } from "./messages.js";
import { answerTo, ownUri, rootOf } from "./model.js";
import type { Random } from "./random.js";
import { ModelMismatch } from "./model-mismatch.js";

export const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type TransportName = "http" | "sse" | "stdio";

/** The transports and revisions of clients. `any`: client and server negotiate. */
const ways: readonly (readonly [TransportName, string])[] = [
  ...[...revisions, "any"].flatMap((revision) => [["http", revision] as const, ["http", revision] as const]),
  ...[...revisions, "any"].map((revision) => ["stdio", revision] as const),
  ["sse", "2024-11-05"],
  ["sse", "2024-11-05"],
];

/** Revisions in which a client can resume a broken stream. */
const resumable: ReadonlySet<string> = new Set(["2025-03-26", "2025-06-18", "2025-11-25"]);

export interface Reports {
  /** A stream of this client broke off. */
  cut(): void;
  /** A process was started for this client, or has been closed. */
  stdioServer(pid: number, running: boolean): void;
  /** A problem that belongs to no request. */
  wrong(what: ModelMismatch): void;
}

/** A client with many connections in turn, and the notifications that it receives. */
export class SoakClient {
  #client: Client | undefined;
  transport: TransportName = "http";
  revision = "";
  /** Log messages by the nonce that they carry. */
  readonly logs = new Map<string, number[]>();
  /** The number of updates received for the resource of this client. */
  updates = 0;
  changes = 0;
  /** Whether the stream of notifications is known to be open. */
  hears = false;
  isSubscribed = false;
  #counter = 0;
  /** The last result of `count`. */
  counted: { readonly epoch: string; readonly n: number } | undefined;

  constructor(
    readonly plan: ClientPlan,
    readonly incarnation: number,
    readonly stdioServer: string,
    readonly random: Random,
    readonly reports: Reports,
  ) {}

  get name(): string {
    return this.plan.name;
  }

  /** @throws SdkError `NOT_CONNECTED` */
  get client(): Client {
    if (!this.#client) throw new SdkError("NOT_CONNECTED", "the client is not connected");
    return this.#client;
  }

  /** The name under which the server knows this client. */
  get alias(): string {
    return `${this.name}.${this.incarnation}`;
  }

  nonce(): string {
    return `${this.alias}#${++this.#counter}`;
  }

  async open(): Promise<void> {
    const [transport, revision] = this.random.pick(ways);
    this.transport = transport;
    this.revision = revision;
    this.hears = this.isSubscribed = false;
    const client = this.#make(revision);
    const link = this.#link(transport, revision);
    try {
      await client.connect(link, { timeoutMs: 20_000, probeTimeoutMs: 10_000 });
      this.#client = client;
      this.revision = client.getNegotiatedProtocolVersion() ?? revision;
      if (link instanceof StdioClientTransport && link.pid !== null) this.reports.stdioServer(link.pid, true);
      await client.setLoggingLevel("info");
      if (this.random.chance(0.6))
        this.isSubscribed = await client.subscribeResource({ uri: ownUri(this.alias) }, () => this.updates++);
    } catch (error) {
      this.#client = undefined;
      await client.close().catch(() => undefined);
      throw error;
    }
  }

  /** Whether it is connected or reconnecting: the client replaces a lost session. */
  get isOpen(): boolean {
    return this.#client?.era !== undefined;
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
  }

  #make(revision: string): Client {
    const sides = clientSides.filter((side) => revision === "any" || side.revision === revision);
    const client = new Client(
      { name: this.alias, version: "1.0.0" },
      {
        revisions: sides,
        capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
        trace: this.#watch(),
        onerror: (error) => this.#heardOf(error),
        onclose: () => {
          this.hears = false;
          const { transport } = this;
          if (transport === "stdio") this.isSubscribed = false;
        },
      },
    );
    client.setRequestHandler("elicitation/create", ({ message }) => ({
      action: "accept",
      content: { word: answerTo(this.alias, message) },
    }));
    client.setRequestHandler("sampling/createMessage", ({ messages }) => {
      const content = messages[0]?.content;
      const [block] = Array.isArray(content) ? content : [content];
      const text = answerTo(this.alias, block?.type === "text" ? block.text : "");
      return { role: "assistant", model: "none", content: { type: "text", text } };
    });
    client.addRoot({ uri: rootOf(this.alias) });
    client.onChanged("tools", () => this.changes++);
    client.setNotificationHandler("notifications/message", ({ data }: { data: unknown }) => this.#log(data));
    return client;
  }

  #link(
    transport: TransportName,
    revision: string,
  ): StdioClientTransport | StreamableHTTPClientTransport | SSEClientTransport {
    const { url } = this.plan;
    if (transport === "stdio")
      return new StdioClientTransport({ command: process.execPath, args: [this.stdioServer], stderr: "inherit" });
    if (transport === "sse") return new SSEClientTransport(url);
    const cuts = resumable.has(revision) && this.random.chance(0.5);
    return new StreamableHTTPClientTransport(url, {
      reconnectionOptions: { initialReconnectionDelay: 50 },
      ...(cuts && { fetch: cuttingFetch(this.random, 0.2, () => this.reports.cut()) }),
    });
  }

  /** Checks that each request gets one response. */
  #watch(): Trace {
    const answered = new WeakMap<object, Set<unknown>>();
    return (direction, message, connection) => {
      if (direction === "out") return;
      for (const { id, method } of [message].flat() as { readonly id?: unknown; readonly method?: unknown }[]) {
        if (id === undefined || method !== undefined) continue;
        let ids = answered.get(connection);
        if (!ids) answered.set(connection, (ids = new Set()));
        if (ids.has(id)) this.reports.wrong(new ModelMismatch("one response per request", JSON.stringify(message)));
        ids.add(id);
      }
    };
  }

  #heardOf(error: Error): void {
    const isOurs = error instanceof SdkError;
    if (isOurs && error.code === "DEPRECATED") return;
    this.hears = false;
    if (!isOurs || error.code === "INVALID_MESSAGE" || error.code === "INVALID_CONFIGURATION")
      this.reports.wrong(new ModelMismatch("no report, or a typed error", error.stack ?? error.message));
  }

  #log(data: unknown): void {
    const [nonce = "", at] = String(data).split(" ");
    const known = this.logs.get(nonce);
    if (!nonce.startsWith(`${this.alias}#`))
      this.reports.wrong(new ModelMismatch(`log messages for ${this.alias}`, JSON.stringify(data)));
    // Messages of an aborted call are ignored.
    known?.push(Number(at));
  }
}

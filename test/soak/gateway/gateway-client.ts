import { Client } from "../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../runtime/src/client/http.js";
import { McpError, SdkError } from "../../../runtime/src/index.js";
import { StdioClientTransport } from "../../../runtime/src/stdio.js";
import { assertSame, ModelMismatch } from "../model-mismatch.js";
import type { Random } from "../random.js";
import { waitUntil } from "../wait.js";
import { type UpstreamName, upstreamNames } from "./messages.js";
import { labelOf } from "./upstream-server.js";

/** How a client reaches the gateway. */
export type Target = { readonly url: string } | { readonly command: readonly string[] };

/** Longer than anything may take at the gateway: a call that ends by it is lost. */
const lostMs = 60_000;

/** A client of the gateway that checks everything it receives. */
export class GatewayClient {
  #client: Client | undefined;
  #id = 0;
  /** The progress messages and questions that are expected, and those that belong to none of its calls. */
  readonly #running = new Set<string>();

  /** @param wrong is called with what is not for this client, and calls that are lost */
  constructor(
    readonly name: string,
    readonly era: "handshake" | "stateless",
    readonly target: Target,
    readonly random: Random,
    readonly wrong: (what: string) => void,
    readonly count: (what: string) => void,
  ) {}

  async open(): Promise<void> {
    const client = new Client(
      { name: this.name, version: "1.0.0" },
      { capabilities: { elicitation: { form: {} } }, timeoutMs: lostMs, onerror: () => undefined },
    );
    client.setRequestHandler("elicitation/create", ({ message }) => {
      if (!this.#running.has(message)) this.wrong(`${this.name} was asked: ${message}`);
      return { action: "accept", content: { word: `word of ${message}` } };
    });
    const { target } = this;
    const transport =
      "url" in target
        ? new StreamableHTTPClientTransport(target.url)
        : new StdioClientTransport({ command: target.command[0] ?? "", args: target.command.slice(1) });
    await client.connect(transport, { era: this.era, timeoutMs: lostMs, probeTimeoutMs: lostMs });
    this.#client = client;
  }

  /** Closes the connection, also while calls run. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
  }

  get client(): Client {
    if (!this.#client) throw new SdkError("NOT_CONNECTED", "the client is closed");
    return this.#client;
  }

  /**
   * Calls a tool of a server. @returns the text of the result
   * @throws ModelMismatch when it is that of another call
   */
  async call(server: UpstreamName, tool: string, ms = 0, signal?: AbortSignal): Promise<string> {
    const args = { client: this.name, id: ++this.#id, payload: String(this.random.next()), ms };
    const label = labelOf(args);
    this.#running.add(label);
    try {
      const { content, isError } = await this.client.callTool(
        { name: `${server}_${tool}`, arguments: args },
        {
          ...(signal && { signal }),
          onProgress: ({ message }) => {
            if (message !== label) this.wrong(`progress of ${label}: ${String(message)}`);
          },
        },
      );
      const [block] = content;
      const text = block?.type === "text" ? block.text : JSON.stringify(content);
      if (isError) throw new SdkError("CONNECTION_CLOSED", text);
      if (tool === "echo") assertSame(text, label);
      if (tool === "ask") assertSame(text, `${label} word of ${label}`);
      return text;
    } finally {
      this.#running.delete(label);
    }
  }

  /** Makes random calls until `isOver`. Each must end with the right result, or with a typed error. */
  async live(isOver: () => boolean): Promise<void> {
    const transport = "url" in this.target ? "http" : "stdio";
    while (!isOver()) {
      // It could not come again, because the gateway was too slow or the session was lost.
      if (!this.#client && !(await this.attempt("open", () => this.open()))) continue;
      const server = this.random.pick(upstreamNames);
      const [name, act] = this.random.pick(actions);
      await this.attempt(`${this.era} ${transport} ${name}`, () => act(this, server));
      await new Promise((resolve) => setTimeout(resolve, this.random.between(5, 100)));
    }
  }

  /** Runs something that may fail with a typed error. Returns whether it succeeded. */
  async attempt(what: string, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      this.count(`done ${what}`);
      return true;
    } catch (error) {
      this.count(`failed ${what}`);
      this.count(`error ${reasonOf(error, what)}`);
      const isLost = error instanceof SdkError && error.code === "REQUEST_TIMEOUT";
      if (error instanceof ModelMismatch) this.wrong(`${what} of ${this.name}: ${error.message}`);
      else if (isLost) this.wrong(`${what} of ${this.name} is lost: ${error.message}`);
      else if (!(error instanceof McpError) && (error as Error).name !== "AbortError")
        this.wrong(`${what} of ${this.name}: an error without a type: ${(error as Error).stack ?? String(error)}`);
      return false;
    }
  }

  /** Every feature of a server works, after the pause that a server has after a crash. */
  async checkAll(server: UpstreamName): Promise<void> {
    let problem = "";
    const works = async (): Promise<boolean> => {
      try {
        await this.call(server, "echo");
        return true;
      } catch (error) {
        problem = String(error);
        return false;
      }
    };
    if (!(await waitUntil(works, 60_000, 500))) {
      this.wrong(`${this.name}: ${server} does not recover: ${problem}`);
      return;
    }
    try {
      await Promise.all(Array.from({ length: 5 }, (_, at) => this.call(server, "echo", 10 * at)));
      await this.call(server, "ask");
      const { tools } = await this.client.listTools();
      if (!tools.some(({ name }) => name === `${server}_echo`)) this.wrong(`${this.name}: no tools of ${server}`);
    } catch (error) {
      this.wrong(`${this.name}: ${server} fails without a fault: ${String(error)}`);
    }
  }
}

/** Why a call failed, without what differs each time; and what failed, if the error does not say it. */
function reasonOf(error: unknown, what: string): string {
  const { message, code = "" } = error as Error & { readonly code?: string | number };
  const reason = `${code} ${message.replace(/\d+ ms/g, "… ms").slice(0, 150)}`;
  return message.startsWith("The server") ? reason : `${reason} (${what})`;
}

type Act = (client: GatewayClient, server: UpstreamName) => Promise<unknown>;

/** Frequent actions are listed several times. */
const actions: readonly (readonly [string, Act])[] = [
  ...repeated(6, "echo", (client, server) => client.call(server, "echo", client.random.between(0, 50))),
  ...repeated(3, "echo, concurrent", (client) =>
    Promise.all(upstreamNames.map((server) => client.call(server, "echo", client.random.between(0, 200)))),
  ),
  ...repeated(3, "ask", (client, server) => client.call(server, "ask")),
  ...repeated(2, "list", (client) => client.client.listTools({}, { cacheMode: "bypass" })),
  ...repeated(2, "read", async (client) => {
    const { resources } = await client.client.listResources();
    const [resource] = resources;
    if (resource) await client.client.readResource({ uri: client.random.pick(resources).uri });
  }),
  ...repeated(3, "cancel", async (client, server) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), client.random.between(0, 50));
    await client.call(server, "echo", 2_000, abort.signal).then(
      () => undefined,
      (error: unknown) => {
        if (!abort.signal.aborted) throw error;
      },
    );
  }),
  ...repeated(2, "subscribe", async (client, server) => {
    const { resources } = await client.client.listResources();
    const [resource] = resources;
    if (!resource) return;
    const ignore = (): void => undefined;
    const { uri } = client.random.pick(resources);
    await client.client.subscribeResource({ uri }, ignore);
    await client.call(server, "touch");
    await client.client.unsubscribeResource({ uri }, ignore);
  }),
  ...repeated(1, "leave during calls", async (client) => {
    const calls = upstreamNames.map((server) => client.call(server, "echo", 1_000).catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, client.random.between(0, 50)));
    await client.close();
    await Promise.all(calls);
    await client.open();
  }),
  ...repeated(1, "come again", async (client) => {
    await client.close();
    await client.open();
  }),
  ...repeated(1, "fault: hang", (client, server) => client.call(server, "hang")),
  ...repeated(1, "fault: stall", (client, server) => client.call(server, "stall", client.random.between(100, 1_000))),
  ...repeated(1, "fault: flood", (client, server) => client.call(server, "flood")),
  ...repeated(1, "fault: change", (client, server) => client.call(server, "flip")),
];

function repeated(times: number, name: string, act: Act): readonly (readonly [string, Act])[] {
  return Array.from({ length: times }, () => [name, act] as const);
}

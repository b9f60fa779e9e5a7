import { ELICITATION_CREATE, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import { Client, reviewUrl } from "@mcpwright/runtime/client";
import { SdkError } from "@mcpwright/runtime/errors";
import { escapeLine } from "../../../shared/command/escape-controls.js";
import { packageRoot } from "../../../shared/package-root.js";
import { checkToolOutput } from "../../inspect/check-tool-output.js";
import type { PageRequest, ProgressData, SessionData } from "./page-data.js";
import { fetchList, type ListName } from "./page-lists.js";
import { PendingQuestions } from "./pending-questions.js";
import { type PageRelay, RelayTransport } from "./relay-transport.js";

/** Milliseconds for the first response of a server, and for a list. */
const timeoutMs = 60_000;
/** Milliseconds for a request of the page: the user may answer questions meanwhile, and can cancel it. */
const requestTimeoutMs = 3_600_000;

/** All capabilities, because servers may hide features from clients without them. */
const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export interface PageSessionHooks {
  readonly onSession: (session: SessionData) => void;
  readonly onQuestions: () => void;
  readonly onProgress: (progress: ProgressData) => void;
  /** Called with what the user should know. */
  readonly onNote: (text: string) => void;
}

/** The result of a request of the page. */
export interface PageResult {
  readonly result: Readonly<Record<string, unknown>>;
  /** What is wrong with it, such as output that does not match the schema of the tool. */
  readonly notes: readonly string[];
}

/** The page's own connection to the server: an ordinary client, with the newest revision that the server speaks. */
export class PageSession {
  readonly questions: PendingQuestions;
  #data: SessionData = { state: "connecting", problems: [] };
  #client: Client | undefined;
  /** That of the client; after a failure, it waits for a change of the server. */
  #transport: RelayTransport | undefined;
  readonly #fetching = new Set<ListName>();
  /** Lists that have changed while they were fetched. */
  readonly #outdated = new Set<ListName>();
  readonly #closed = new AbortController();

  constructor(
    private readonly relay: PageRelay,
    private readonly hooks: PageSessionHooks,
  ) {
    this.questions = new PendingQuestions(hooks.onQuestions);
  }

  get data(): SessionData {
    return this.#data;
  }

  /** Connects, unless it is connected or connecting. */
  async connect(): Promise<void> {
    if (this.#client || this.#closed.signal.aborted) return;
    const client = this.#newClient();
    this.#client = client;
    this.#set({ state: "connecting", problems: [] });
    await this.#transport?.end();
    const transport = new RelayTransport(this.relay, "page");
    this.#transport = transport;
    try {
      await client.connect(transport, { signal: this.#closed.signal, timeoutMs });
    } catch (error) {
      await client.close().catch(() => undefined);
      this.#failed(client, error);
      return;
    }
    const { name, version, title } = client.getServerVersion() ?? { name: "", version: "" };
    const revision = client.getNegotiatedProtocolVersion();
    const instructions = client.getInstructions();
    this.#set({
      state: "connected",
      problems: [],
      server: { name, version, ...(title !== undefined && { title }) },
      ...(revision !== undefined && { revision }),
      ...(instructions !== undefined && { instructions }),
    });
    // Servers log only what is requested.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- servers of every revision are developed
    if (client.getServerCapabilities()?.logging) await client.setLoggingLevel("debug").catch(() => undefined);
    await this.refresh();
  }

  /** Connects again if the last attempt failed. @param connection the one whose server was started after a change */
  serverRestarted(connection: string): void {
    if (this.#data.state === "failed" && connection === this.#transport?.id) void this.connect();
  }

  /** Fetches all lists again. */
  async refresh(): Promise<void> {
    const names = ["tools", "prompts", "resources", "resourceTemplates"] as const;
    await Promise.all(names.map((name) => this.#fetch(name)));
  }

  /**
   * Sends a request of the page.
   * @param signal cancels it
   * @throws the error of the server or of the client
   */
  async request(asked: PageRequest, signal: AbortSignal): Promise<PageResult> {
    const client = this.#client;
    if (!client || this.#data.state !== "connected")
      throw new SdkError("NOT_CONNECTED", "the page is not connected to the server");
    const { id, kind, name, arguments: args = {} } = asked;
    const options = {
      signal,
      timeoutMs: requestTimeoutMs,
      onProgress: ({ progress, total, message }: Omit<ProgressData, "request">) =>
        this.hooks.onProgress({
          request: id,
          progress,
          ...(total !== undefined && { total }),
          ...(message !== undefined && { message }),
        }),
    };
    switch (kind) {
      case "tool": {
        const result = await client.callTool({ name, arguments: { ...args } }, options);
        return { result: { ...result }, notes: await this.#outputProblems(name, result) };
      }
      case "prompt":
        return {
          result: { ...(await client.getPrompt({ name, arguments: args as Record<string, string> }, options)) },
          notes: [],
        };
      case "resource":
        return { result: { ...(await client.readResource({ uri: name }, options)) }, notes: [] };
    }
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error("mcpwright dev ends"));
    await this.#client?.close();
    await this.#transport?.end();
  }

  #newClient(): Client {
    const client = new Client(
      { name: "mcpwright-dev-page", version: packageRoot().version },
      {
        capabilities,
        timeoutMs,
        onInvalidItem: (item, method, problem) =>
          this.hooks.onNote(
            `an item of ${method} is left out: ${escapeLine(JSON.stringify(item), 200)} ${problem.text}`,
          ),
        onclose: (error) => this.#failed(client, error ?? new Error("the connection was closed")),
        onerror: (error) => this.hooks.onNote(escapeLine(error.message, 1_000)),
      },
    );
    client.setRequestHandler(ELICITATION_CREATE, (params, { signal }) => {
      if (params.mode !== "url") return this.questions.askForm({ kind: "form", params: { ...params } }, signal);
      const { href, warnings, problem } = reviewUrl(params.url);
      const question = {
        kind: "url",
        params: { ...params, url: href },
        warnings: warnings.map(({ message }) => message),
        ...(problem !== undefined && { problem }),
      } as const;
      return this.questions.askForm(question, signal);
    });
    client.setRequestHandler(SAMPLING_CREATE_MESSAGE, (params, { signal }) =>
      this.questions.askForReply(params, signal),
    );
    client.onChanged("tools", () => void this.#fetch("tools"));
    client.onChanged("prompts", () => void this.#fetch("prompts"));
    client.onChanged("resources", () => {
      void this.#fetch("resources");
      void this.#fetch("resourceTemplates");
    });
    return client;
  }

  async #fetch(name: ListName): Promise<void> {
    if (this.#fetching.has(name)) {
      this.#outdated.add(name);
      return;
    }
    this.#fetching.add(name);
    do {
      this.#outdated.delete(name);
      await this.#fetchOnce(name);
    } while (this.#outdated.has(name));
    this.#fetching.delete(name);
  }

  async #fetchOnce(name: ListName): Promise<void> {
    const client = this.#client;
    if (!client || this.#data.state !== "connected") return;
    const problem = `the list of ${listTitles[name]} could not be fetched`;
    const others = (): readonly string[] => this.#data.problems.filter((one) => !one.startsWith(problem));
    try {
      const items = await fetchList(client, name);
      if (client !== this.#client) return;
      const { [name]: _, ...rest } = this.#data;
      this.#set({ ...rest, problems: others(), ...(items && { [name]: items }) });
    } catch (error) {
      if (client !== this.#client) return;
      // A server that has an error for a moment does not lose what the user has entered into its forms.
      this.#set({
        ...this.#data,
        problems: [...others(), `${problem}: ${escapeLine((error as Error).message, 1_000)}`],
      });
    }
  }

  async #outputProblems(name: string, result: object): Promise<readonly string[]> {
    const { structuredContent, isError } = result as { structuredContent?: unknown; isError?: boolean };
    const outputSchema = this.#data.tools?.find((tool) => tool["name"] === name)?.["outputSchema"];
    if (outputSchema === undefined || isError === true) return [];
    const problem = await checkToolOutput(name, outputSchema, structuredContent);
    return problem ? [problem.message] : [];
  }

  #failed(client: Client, error: unknown): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    this.#set({ ...this.#data, state: "failed", problems: [escapeLine((error as Error).message, 2_000)] });
  }

  #set(data: SessionData): void {
    this.#data = data;
    this.hooks.onSession(data);
  }
}

const listTitles = {
  tools: "tools",
  prompts: "prompts",
  resources: "resources",
  resourceTemplates: "resource templates",
} as const satisfies Readonly<Record<ListName, string>>;

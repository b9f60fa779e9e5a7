import { clientSides } from "@mcpwright/protocol/client-sides";
import { Client } from "../../runtime/src/client.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "../../runtime/src/client/http.js";
import { SdkError, type Trace } from "../../runtime/src/index.js";
import { cuttingFetch } from "../soak/cutting-fetch.js";
import type { Random } from "../soak/random.js";
import { sleep, waitUntil } from "../soak/wait.js";
import { ClientChecker, type ClientEvent, type Violation } from "./client-checker.js";
import type { ClientPlan } from "./messages.js";
import { type Answer, type Logged, ownUri, ownUris, principalHeader, wordOf } from "./model.js";
import { type Failure, nameOf, ToolFailure } from "./observations.js";
import { watchedFetch } from "./watched-fetch.js";

const timeoutMs = 60_000;
/** How long a client waits for the notifications that it must still receive. */
const patienceMs = 20_000;
/** The share of streams that break after an event, in revisions whose streams can be resumed. */
const cutShare = 0.1;
/** The number of recent events that are printed with a violation. */
const recentEvents = 40;

export const sseRevision = "2024-11-05";
export const statelessRevision = "2026-07-28";

export interface ClientReports {
  readonly count: (what: string) => void;
  readonly onFailure: (failure: Failure) => void;
  readonly onViolation: (violation: Violation) => void;
}

/** Everything with which another client could try to use a session. */
export interface OpenSession {
  readonly principal: string;
  readonly revision: string;
  id: string | undefined;
  postUrl: string | undefined;
}

/** A client with many connections in turn. It records what happens, and checks it. */
export class ChaosClient {
  readonly session: OpenSession;
  readonly #checker: ClientChecker;
  readonly #recent: string[] = [];
  #client: Client | undefined;
  #sessionSince = 0;
  /** When the last event arrived before the newest gap. */
  #gapSince = 0;
  #isLeaving = false;
  #connections = 0;
  #calls = 0;
  #touches = 0;
  /** The nonces of calls, by progress token. */
  readonly #tokens = new Map<unknown, string>();

  constructor(
    readonly plan: ClientPlan,
    readonly url: string,
    readonly random: Random,
    readonly reports: ClientReports,
  ) {
    const { principal, revision } = plan;
    this.session = { principal, revision, id: undefined, postUrl: undefined };
    this.#checker = new ClientChecker(plan.name, principal, (violation) => this.report(violation));
  }

  get hasSession(): boolean {
    return this.plan.revision !== statelessRevision;
  }

  get isOpen(): boolean {
    return this.#client?.era !== undefined;
  }

  get client(): Client {
    if (!this.#client) throw new SdkError("NOT_CONNECTED", "the client is not connected");
    return this.#client;
  }

  async open(): Promise<void> {
    const { revision, name } = this.plan;
    this.#isLeaving = false;
    const client = new Client(
      { name, version: "1.0.0" },
      {
        revisions: clientSides.filter((side) => side.revision === revision),
        capabilities: { elicitation: {}, sampling: {} },
        trace: this.#trace(),
        onerror: (error) => this.#onError(error),
      },
    );
    client.setRequestHandler("elicitation/create", ({ message }) => {
      this.#add({ type: "asked", nonce: message });
      return { action: "accept", content: { word: wordOf(name, message) } };
    });
    client.setRequestHandler("sampling/createMessage", ({ messages }) => {
      const content = messages[0]?.content;
      const [block] = Array.isArray(content) ? content : [content];
      const nonce = block?.type === "text" ? block.text : "";
      this.#add({ type: "asked", nonce });
      return { role: "assistant", model: "none", content: { type: "text", text: wordOf(name, nonce) } };
    });
    try {
      this.#add({ type: "opened" });
      await client.connect(this.#transport(), { timeoutMs });
      await client.setLoggingLevel("info");
      for (let at = 0; at < ownUris; at++) {
        const uri = ownUri(name, at);
        await client.subscribeResource({ uri }, () => this.#add({ type: "changed", uri }));
      }
      this.#client = client;
      this.#add({ type: "subscribed" });
    } catch (error) {
      this.#isLeaving = true;
      await client.close().catch(() => undefined);
      throw error;
    }
  }

  /** Waits for the notifications that must still arrive. */
  async settle(): Promise<void> {
    await waitUntil(() => this.#checker.owed === 0, patienceMs, 50);
    this.#add({ type: "quiet" });
  }

  async close(): Promise<void> {
    await this.settle();
    const client = this.#client;
    this.#client = undefined;
    this.#isLeaving = true;
    this.session.id = this.session.postUrl = undefined;
    await client?.close();
  }

  /** Calls a tool, and compares the answer. @param steps the number of numbered messages that must come before the answer */
  async call(tool: string, args: Readonly<Record<string, unknown>> = {}, steps?: number): Promise<void> {
    const nonce = `${this.plan.name}#${++this.#calls}`;
    const { uri } = args;
    this.#add({ type: "called", nonce, tool, ...(typeof uri === "string" && { uri }) });
    this.reports.count("calls");
    try {
      const result = await this.client.callTool(
        { name: tool, arguments: { nonce, ...args } },
        { timeoutMs, ...(steps !== undefined && { onProgress: () => undefined }) },
      );
      const [block] = result.content;
      const text = block?.type === "text" ? block.text : JSON.stringify(result.content);
      if (result.isError) throw new ToolFailure(text);
      const answer = JSON.parse(text) as Answer;
      this.#add({ type: "answered", nonce, answer, ...(steps !== undefined && { steps }) });
    } catch (error) {
      this.#add({ type: "failed", nonce });
      throw error;
    }
  }

  /** Calls `touch`, once the update of the call before has arrived. */
  async touch(): Promise<void> {
    await this.call("touch", { uri: ownUri(this.plan.name, this.#touches++) });
    await waitUntil(() => this.#checker.owed === 0, patienceMs, 20);
  }

  report(violation: Violation): void {
    this.reports.onViolation({ ...violation, recent: [...this.#recent] });
  }

  #transport(): StreamableHTTPClientTransport | SSEClientTransport {
    const { revision, principal, name } = this.plan;
    const wrong = (rule: string, detail: string, isLoss: boolean, from: number): void =>
      this.report({ rule, client: name, detail: `${revision}: ${detail}`, isLoss, periods: [[from, Date.now()]] });
    const canResume = revision !== sseRevision && revision !== statelessRevision;
    const inner = canResume ? cuttingFetch(this.random, cutShare, () => this.reports.count("streams cut")) : fetch;
    const watched = watchedFetch(
      inner,
      { [principalHeader]: principal },
      {
        onSession: (id) => {
          this.session.id = id;
          this.#sessionSince = Date.now();
          this.reports.count("sessions");
          this.#add({ type: "opened" });
        },
        onUnknownSession: (id) => {
          if (this.#isLeaving || id !== this.session.id) return;
          this.session.id = undefined;
          wrong("a session was lost", id, true, this.#sessionSince);
        },
        onResumed: () => this.reports.count("resumptions"),
        onGap: (since) => {
          this.#gapSince = since;
          wrong("a gap was announced", "the last event is not known", true, since);
        },
        onPostUrl: (url) => (this.session.postUrl = url),
        onUnexpected: (what) => wrong("an undocumented response", what, false, Date.now()),
      },
    );
    if (revision === sseRevision) return new SSEClientTransport(this.url, { fetch: watched });
    const reconnectionOptions = { initialReconnectionDelay: 100, maxReconnectionDelay: 1_000, maxRetries: 20 };
    return new StreamableHTTPClientTransport(this.url, { fetch: watched, reconnectionOptions });
  }

  #trace(): Trace {
    const numbers = new WeakMap<object, number>();
    return (direction, message, connection) => {
      let number = numbers.get(connection);
      if (number === undefined) numbers.set(connection, (number = ++this.#connections));
      for (const one of [message].flat() as Message[]) this.#onMessage(direction, one, number);
    };
  }

  #onMessage(direction: "in" | "out", { id, method, params }: Message, connection: number): void {
    if (direction === "out") {
      const token = params?._meta?.progressToken;
      if (token !== undefined) this.#tokens.set(`${connection} ${token}`, params?.arguments?.nonce ?? "");
      return;
    }
    if (method === undefined && id !== undefined) this.#add({ type: "response", connection, id });
    if (method === "notifications/progress") {
      const nonce = this.#tokens.get(`${connection} ${params?.progressToken}`) ?? "";
      this.#add({ type: "progress", nonce, step: params?.progress ?? 0 });
    }
    if (method === "notifications/message") this.#add({ type: "logged", logged: params?.data as Logged });
    if (method === "notifications/resources/updated") this.#add({ type: "updated", uri: params?.uri ?? "" });
  }

  #onError(error: Error): void {
    if (error instanceof SdkError && error.code === "DEPRECATED") return;
    this.fail("report", error, nameOf(error) === "gap announced" ? this.#gapSince : Date.now());
  }

  /** Reports why a step failed, or what the client has reported. @param from when it began, in epoch milliseconds */
  fail(what: string, error: unknown, from: number): void {
    const { name: client, revision } = this.plan;
    const { stack, message } = error as Error;
    const { code, cause } = error as { code?: unknown; cause?: unknown };
    const name = nameOf(error, what, revision);
    const detail = name
      ? message
      : `${String(code)} ${message} (${String(cause)}) ${stack ?? ""}\n${this.#recent.join("\n")}`;
    this.reports.onFailure({ name, client, revision, what, detail, from, to: Date.now() });
  }

  #add(event: ClientEvent): void {
    const now = Date.now();
    this.#recent.push(`${now} ${JSON.stringify(event)}`);
    if (this.#recent.length > recentEvents) this.#recent.shift();
    this.#checker.add(event, now);
  }

  /** Waits between two steps. */
  async rest(pauseMs: readonly [number, number]): Promise<void> {
    await sleep(this.random.between(...pauseMs));
  }
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly _meta?: { readonly progressToken?: string | number };
    readonly arguments?: { readonly nonce?: string };
    readonly progressToken?: string | number;
    readonly progress?: number;
    readonly data?: unknown;
    readonly uri?: string;
  };
}

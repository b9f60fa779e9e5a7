import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import { type HttpRow, httpRows, type Ids } from "../hostile/http-table.js";
import { Wire } from "../hostile/http-subject.js";
import { pattern } from "../hostile/pattern.js";
import { type Opening, type Reply, type Row, rows } from "../hostile/table.js";
import type { Random } from "./random.js";
import { sleep, waitUntil } from "./wait.js";
import { ModelMismatch } from "./model-mismatch.js";

const stateless = "2026-07-28";
const claim = {
  "io.modelcontextprotocol/protocolVersion": stateless,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};
const patienceMs = 10_000;

/** The connection or the session was lost, which a fault can explain. */
export class Gone extends Error {
  constructor(
    message: string,
    readonly code: "CONNECTION_CLOSED" | "SESSION_LOST" = "CONNECTION_CLOSED",
    /** When it still existed, in epoch milliseconds. */
    readonly since = Date.now(),
  ) {
    super(message);
  }
}

/** A client that breaks the rules: it sends rows of the hostile tables, and compares the responses. */
export class HostileLane {
  #ids: Ids | undefined;
  #opened = 0;
  #child: StdioPeer | undefined;

  constructor(
    readonly port: number,
    readonly stdioServer: string,
    readonly random: Random,
    readonly started: (pid: number, running: boolean) => void,
  ) {}

  /** Sends one row over HTTP. */
  async http(): Promise<void> {
    try {
      if (!this.#ids) {
        this.#opened = Date.now();
        this.#ids = await idsAt(this.port);
      }
      await this.#play(this.random.pick(httpRows), this.#ids);
    } catch (error) {
      // The server may have been replaced.
      this.#ids = undefined;
      throw error;
    }
  }

  /** Sends one row to a process that has received other rows before. */
  async stdio(): Promise<void> {
    const row = this.random.pick(simpleRows);
    const one = this.random.pick(row.cases);
    const opening = this.random.pick(one.in);
    if (this.#child?.opening !== opening || opening === "unopened" || !leavesNothing(row, one.replies)) {
      await this.close();
      this.#child = new StdioPeer(this.stdioServer, opening);
      this.started(this.#child.pid, true);
      await this.#child.open();
    }
    try {
      await this.#child.play(row, one.replies);
      if (!leavesNothing(row, one.replies)) await this.close();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    await child.close();
    this.started(child.pid, false);
  }

  async #play({ input, send, replies }: HttpRow, ids: Ids): Promise<void> {
    const wire = new Wire(this.port);
    try {
      for (const bytes of send(ids)) wire.write(bytes);
      const wanted = Math.max(1, replies.length);
      const end = performance.now() + (replies.length > 0 ? patienceMs : 50);
      while (wire.answers.length < wanted && performance.now() < end && !(wire.isClosed && replies.length > 0))
        await sleep(5);
      const { answers } = wire;
      const statuses = (of: readonly { readonly status: number }[]): string => of.map(({ status }) => status).join(" ");
      if (statuses(answers) !== statuses(replies)) {
        if (wire.isClosed && answers.length === 0) throw new Gone(`the connection ended on: ${input}`);
        if (!(await hasSessions(this.port, ids)))
          throw new Gone(`no session on: ${input}`, "SESSION_LOST", this.#opened);
        throw new ModelMismatch(
          `${input}: status ${statuses(replies)}`,
          `${statuses(answers)} ${answers[0]?.body ?? ""}`,
        );
      }
      for (const [at, { code, message = "" }] of replies.entries()) {
        if (code === undefined) continue;
        const body = answers[at]?.body ?? "";
        const { error } = JSON.parse(body) as { error?: { code: number; message: string } };
        if (error?.code !== code || !pattern(message).test(error.message))
          throw new ModelMismatch(`${input}: ${code} ${message}`, body);
      }
    } finally {
      wire.close();
    }
  }
}

/** The rows that need neither another server nor an earlier response. */
const simpleRows = rows.filter(({ options, send }) => !options && send.every((sent) => !("retry" in sent)));

/** Whether every request of a row got a response, so that the connection can be used again. */
function leavesNothing({ send }: Row, replies: readonly Reply[]): boolean {
  const open = replies.map(({ id }) => id);
  return send.every((sent) => {
    if (!("json" in sent) || Array.isArray(sent.json)) return false;
    const id = typeof sent.json === "object" && sent.json !== null && "id" in sent.json ? sent.json.id : undefined;
    return id === undefined || open.splice(open.indexOf(id) >>> 0, 1).length === 1;
  });
}

async function post(port: number, user: string, body: object, headers: object = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "x-user": user,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...body }),
  }).catch((error: unknown) => {
    throw new Gone(String(error));
  });
}

const ofSession = (id: string | null): Record<string, string> => ({
  "mcp-session-id": id ?? "",
  "mcp-protocol-version": "2025-11-25",
});

/** Whether the sessions that the rows use still exist. */
async function hasSessions(port: number, { session, foreign }: Ids): Promise<boolean> {
  const found = await Promise.all(
    [["ada", session] as const, ["eve", foreign] as const].map(async ([user, id]) => {
      const answer = await post(port, user, { id: 1, method: "ping" }, ofSession(id));
      await answer.text();
      return answer.status === 200;
    }),
  );
  return !found.includes(false);
}

async function idsAt(port: number): Promise<Ids> {
  const open = async (user: string): Promise<Record<string, string>> => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: user, version: "1" } };
    const opened = await post(port, user, { id: 0, method: "initialize", params });
    await opened.text();
    const headers = ofSession(opened.headers.get("mcp-session-id"));
    await (await post(port, user, { method: "notifications/initialized" }, headers)).text();
    return headers;
  };
  const eventOf = async (user: string, headers: object): Promise<string> => {
    const answer = await post(port, user, { id: 1, method: "tools/call", params: { name: "say" } }, headers);
    return /^id: (.+)$/m.exec(await answer.text())?.[1] ?? "";
  };
  const [own, foreign] = [await open("ada"), await open("eve")];
  const evicted = await eventOf("ada", own);
  for (let times = 0; times < 30; times++) await eventOf("ada", own);
  const foreignEvent = await eventOf("eve", foreign);
  return { session: own["mcp-session-id"] ?? "", foreign: foreign["mcp-session-id"] ?? "", foreignEvent, evicted };
}

interface Received {
  readonly id?: unknown;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A process with the hostile server, and a raw line to it. */
class StdioPeer {
  readonly #child: ChildProcessWithoutNullStreams;
  #received: Received[] = [];
  #isClosed = false;
  #probes = 0;

  constructor(
    server: string,
    readonly opening: Opening,
  ) {
    this.#child = spawn(process.execPath, [server]);
    // The server reports the errors that the rows cause there.
    this.#child.stderr.resume();
    this.#child.stdin.on("error", () => undefined);
    this.#child.on("error", () => undefined).once("exit", () => (this.#isClosed = true));
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.#received.push(...([JSON.parse(line)].flat() as Received[]));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async open(): Promise<void> {
    if (this.opening === "unopened" || this.opening === stateless) return;
    const params = { protocolVersion: this.opening, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    this.#send({ jsonrpc: "2.0", id: "open", method: "initialize", params });
    await this.#until(() => this.#received.some(({ id }) => id === "open"));
    this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  async play({ input, send }: Row, replies: readonly Reply[]): Promise<void> {
    const { opening } = this;
    this.#received = [];
    for (const sent of send) {
      if ("json" in sent) this.#send(sent.bare ? sent.json : this.#claimed(sent.json));
      else if ("raw" in sent)
        for (const bytes of sent.raw(opening === stateless ? `"_meta":${JSON.stringify(claim)},` : '"_meta":{},'))
          this.#child.stdin.write(bytes);
    }
    await this.#until(() => this.#received.length >= replies.length);
    const probe = `probe ${++this.#probes}`;
    const method = opening === stateless ? "server/discover" : "ping";
    this.#send(this.#claimed({ jsonrpc: "2.0", id: probe, method }));
    await this.#until(() => this.#received.some(({ id }) => id === probe));
    const received = this.#received.filter(({ id }) => id !== probe);
    const key = ({ id, error }: Received): string => `${JSON.stringify(id ?? null)} ${error?.code ?? "result"}`;
    const wanted = replies
      .map((reply) => {
        const id = typeof reply.id === "symbol" ? null : reply.id;
        return `${JSON.stringify(id ?? null)} ${"code" in reply ? reply.code : "result"}`;
      })
      .sort();
    if (received.map(key).sort().join() !== wanted.join())
      throw new ModelMismatch(`${input}; ${opening}: ${wanted.join()}`, JSON.stringify(received));
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#until(() => this.#isClosed);
  }

  #send(value: unknown): void {
    this.#child.stdin.write(`${JSON.stringify(value)}\n`);
  }

  #claimed(message: unknown): unknown {
    if (this.opening !== stateless || typeof message !== "object" || message === null || !("id" in message))
      return message;
    const { params = {} } = message as { params?: object };
    return { ...message, params: { ...params, _meta: { ...claim, ...(params as { _meta?: object })._meta } } };
  }

  async #until(done: () => boolean): Promise<void> {
    const has = await waitUntil(() => done() || this.#isClosed, patienceMs, 2);
    if (done()) return;
    throw has ? new Gone("the process has ended") : new ModelMismatch("a response", JSON.stringify(this.#received));
  }
}

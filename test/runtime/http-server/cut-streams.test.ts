/**
 * Streams that break at every byte: a client that resumes misses nothing and receives nothing twice; others are not affected.
 * The network is simulated in this process, so that each byte can be the last.
 */
import { expect, test } from "vitest";
import { type Backplane, MemoryBackplane } from "../../../runtime/src/backplane.js";
import {
  type BodyWriter,
  createMcpHandler,
  type HttpHeaders,
  type HttpRequest,
  type McpHttpHandler,
  type DisconnectListener,
  type Responder,
} from "../../../runtime/src/server/http.js";
import { Blocks } from "./blocks.js";
import { slowBackplane } from "./backplanes.js";
import { BOTH, initialize, type Message, notification, R2, R4, request, turn, until } from "./messages.js";
import { Subject } from "./subject.js";

/** When the server notices that the connection is closed. */
type Notice = "at once" | "late" | "never";

/** What a client receives of a response: the first bytes, then the connection closes. */
class Line implements Responder, BodyWriter {
  disconnectListener: DisconnectListener | undefined;

  watchDisconnect(): void {
    // It notices in any case.
  }
  readonly queuedBytes = 0;
  status = 0;
  headers: HttpHeaders = {};
  /** Everything that was written, delivered or not. */
  written = 0;
  isCut = false;
  hasEnded = false;
  readonly seen = new Blocks();

  constructor(
    readonly bytes: number,
    readonly notice: Notice,
  ) {}

  get isOver(): boolean {
    return this.isCut || this.hasEnded;
  }

  respond(status: number, headers: HttpHeaders, body = ""): void {
    this.startStream(status, headers);
    this.write(body);
    this.end();
  }

  startStream(status: number, headers: HttpHeaders): this {
    this.status = status;
    this.headers = headers;
    return this;
  }

  write(text: string): void {
    const room = this.bytes - this.written;
    this.written += text.length;
    if (this.isCut) return;
    this.seen.push(text.slice(0, Math.max(0, room)));
    if (text.length < room) return;
    this.isCut = true;
    const lost = () => this.hasEnded || this.disconnectListener?.onDisconnect();
    if (this.notice === "at once") queueMicrotask(lost);
    if (this.notice === "late") setTimeout(lost, 2);
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  end(): void {
    this.hasEnded = true;
  }

  abort(): void {
    this.hasEnded = true;
  }
}

/** A client of one session whose connections break. */
class Client {
  sessionId: string | undefined;

  constructor(
    readonly handler: McpHttpHandler,
    readonly version: string,
  ) {}

  send(method: string, line: Line, body?: object, lastEventId?: string): Line {
    const headers: Record<string, string | undefined> = {
      host: "localhost",
      accept: BOTH,
      "content-type": "application/json",
      "mcp-session-id": this.sessionId,
      "last-event-id": lastEventId,
    };
    const head: HttpRequest = { method, url: "/mcp", principal: undefined, header: (name) => headers[name] };
    const { endpoint } = this.handler;
    if (endpoint.receiveHead(head, line)) endpoint.receiveMessage(head, body, line);
    return line;
  }

  async open(): Promise<this> {
    const opening = this.send("POST", new Line(Infinity, "never"), initialize(this.version));
    await until(() => opening.hasEnded);
    this.sessionId = opening.headers["mcp-session-id"];
    this.send("POST", new Line(Infinity, "never"), notification("notifications/initialized"));
    return this;
  }

  /** Reads a stream whose first and second connections break, until it is complete. */
  async read(first: Line, isComplete: (messages: readonly Message[]) => boolean): Promise<Message[]> {
    const messages: Message[] = [];
    let lastEventId: string | undefined;
    const take = ({ seen }: Line): void => {
      for (const { id, data } of seen.rest()) {
        if (id !== undefined) lastEventId = id;
        if (data) messages.push(JSON.parse(data) as Message);
      }
    };
    for (let line = first, cuts = 1; ; cuts++) {
      await until(() => line.isOver || (take(line), isComplete(messages)));
      take(line);
      if (isComplete(messages)) return messages;
      // Without an id the client cannot resume.
      if (lastEventId === undefined) return messages;
      const bytes = cuts < 2 ? first.bytes : Infinity;
      line = this.send("GET", new Line(bytes, first.notice), undefined, lastEventId);
      await until(() => line.status !== 0);
      if (line.status !== 200) throw new Error(`not resumed: ${line.status}`);
    }
  }
}

const lines = ["one", "two — ü", "three"];
const answered = (messages: readonly Message[]): boolean => messages.some(({ id }) => id !== undefined);
const told = (count: number) => (messages: readonly Message[]) => messages.length >= count;
const texts = (messages: readonly Message[]): unknown[] =>
  messages.map(({ params, id, method }) => (id === undefined ? (params?.["data"] ?? method) : { id }));

/** Three streams of one session break at the same byte; one of another session does not. */
async function conversation(version: string, backplane: Backplane, bytes: number, notice: Notice) {
  const subject = new Subject({ backplane });
  const handler = createMcpHandler(subject.server, { keepAliveMs: 0 });
  const client = await new Client(handler, version).open();
  const bystander = await new Client(handler, version).open();
  const call = (id: number, name: string, args: object) => request(id, "tools/call", { name, arguments: args });
  const post = (who: Client, body: object, cut = true) =>
    who.send("POST", new Line(cut ? bytes : Infinity, notice), body);
  const listener = client.send("GET", new Line(bytes, notice));
  const talk = post(client, call(1, "say", { lines }));
  const held = post(client, call(2, "hold", { key: "k", first: "first", last: "last" }));
  const untouched = post(bystander, call(1, "say", { lines }), false);
  const quiet = bystander.send("GET", new Line(Infinity, "never"));
  const reading = [client.read(talk, answered), client.read(held, answered), client.read(listener, told(4))] as const;
  await until(() => subject.holds("k"));
  for (const method of ["Tool", "Prompt", "Resource"] as const) {
    subject.server[`send${method}ListChanged`]();
    await turn();
  }
  for (const connection of subject.server.server.connections)
    connection.notifyInBackground("notifications/message", { level: "info", data: "news" });
  subject.release("k");
  const others = [bystander.read(untouched, answered), bystander.read(quiet, told(4))] as const;
  const got = (await Promise.all([...reading, ...others])).map(texts);
  // Changes are found in another log than messages.
  for (const index of [2, 4]) got[index]?.sort((one, other) => Number(one === "news") - Number(other === "news"));
  await handler.close(0);
  return { got, written: Math.max(talk.written, held.written, listener.written) };
}

const changed = [...["tools", "prompts", "resources"].map((kind) => `notifications/${kind}/list_changed`), "news"];
const whole = [[...lines, { id: 1 }], ["first", "last", { id: 2 }], changed, [...lines, { id: 1 }], changed];

/** A client whose stream breaks before it has an id cannot resume: it has received a correct prefix of the messages. */
function holds(got: readonly unknown[][], version: string): void {
  for (const [index, messages] of got.entries())
    if (version !== R4 && index < 3 && messages.length === 0) continue;
    else expect(messages).toEqual(whole[index]);
}

const rows: readonly (readonly [version: string, store: string, notice: Notice])[] = [
  [R4, "at once", "at once"],
  [R4, "at once", "never"],
  [R4, "later", "late"],
  [R2, "at once", "late"],
  [R2, "later", "at once"],
];

test.each(rows)("%s, a store that responds %s, a server that notices the break: %s", async (version, store, notice) => {
  const backplane = (): Backplane => (store === "later" ? slowBackplane() : new MemoryBackplane());
  const { got, written } = await conversation(version, backplane(), Infinity, notice);
  expect(got).toEqual(whole);
  // Starts at the byte that completes the first event of 2025-11-25: before it, no client can resume.
  const from = 70;
  const offsets = Array.from({ length: written - from }, (_, index) => from + index);
  for (let at = 0; at < offsets.length; at += 100)
    await Promise.all(
      offsets.slice(at, at + 100).map(async (bytes) => {
        holds((await conversation(version, backplane(), bytes, notice)).got, version);
      }),
    );
});

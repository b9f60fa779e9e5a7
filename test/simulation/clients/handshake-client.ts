import {
  INITIALIZE,
  LOGGING_SET_LEVEL,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_INITIALIZED,
  PING,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import type { Exchange } from "../network.js";
import { uris } from "../times.js";
import { answerQuestion, isQuestion } from "./answer.js";
import type { Call, CallStream } from "./call.js";
import { type Answer, type SessionAddress, SimulatedClient } from "./client.js";
import { Listener } from "./listener.js";
import { levels } from "./log-level.js";
import { jsonHeaders, type Message, notification, request, toMessages } from "./messages.js";
import { readStream, type StreamEvents } from "./post-stream.js";
import { type Carried, receiveForSession } from "./receive.js";
import { Session } from "./session.js";

/** How often a client tries again to continue a stream. */
const maxTries = 40;
/** The revision whose clients send several messages in one POST. */
const batchRevision = "2025-03-26";

/** A client with a session over Streamable HTTP. Each request goes to any node. */
export class HandshakeClient extends SimulatedClient {
  session: Session | undefined;
  #isOpening = false;
  #listener: Listener | undefined;
  #ids = 0;
  readonly #former: Session[] = [];

  override get address(): SessionAddress | undefined {
    const { session } = this;
    if (!session || session.isGone) return undefined;
    const lastEventId = session.lastEventId;
    return {
      headers: { ...this.headers(session), ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
      requestIds: [...session.calls.keys()],
    };
  }

  act(): void {
    const { session } = this;
    const { random } = this.simulation;
    if (!session || session.isGone) return this.#open();
    if (!session.isReady) return;
    const kind = random.next();
    if (kind < 0.5) this.#callAny(session);
    else if (kind < 0.62) this.#listenAnew(session);
    else if (kind < 0.74) this.#subscribe(session, random.pick(uris));
    else if (kind < 0.82) this.#cancelAny(session);
    else if (kind < 0.86) this.#ask(session, PING, undefined, () => undefined);
    else if (kind < 0.9) this.#setLevel(session);
    else if (kind < 0.93 && random.chance(0.5)) this.#end(session);
    else this.#callAny(session);
  }

  settle(): void {
    const { session } = this;
    if (session?.isReady && !session.isGone && !session.endedBy && !this.#listener?.isOpen) this.#listen(session);
  }

  checkEnd(): void {
    for (const session of this.#former) session.checkEnd(session === this.session && this.#listener?.isOpen === true);
  }

  protected override sayGoodbye(): void {
    const { session } = this;
    if (session && !session.isGone) this.#end(session);
  }

  headers(session: Session | undefined): Record<string, string> {
    return {
      ...jsonHeaders,
      ...(session && { "mcp-session-id": session.id, "mcp-protocol-version": this.revision }),
    };
  }

  // --- Opening and ending ---

  #open(): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.#listener?.leave();
    this.#listener = undefined;
    const capabilities = this.revision === batchRevision ? { sampling: {} } : { elicitation: {} };
    const params = { protocolVersion: this.revision, capabilities, clientInfo: { name: this.name, version: "1" } };
    const body = JSON.stringify(request(this.#ids++, INITIALIZE, params));
    const node = this.cluster.pick();
    this.send(node, { method: "POST", headers: this.headers(undefined), body }, (answer) => {
      this.#isOpening = false;
      const id = answer?.headers["mcp-session-id"];
      if (answer?.status === 200 && id !== undefined) this.#onOpen(answer, id);
      else if (answer && answer.status !== 503)
        this.simulation.violate(`${this.name} cannot open a session: ${answer.status} ${answer.text}`);
    });
  }

  #onOpen({ text }: Answer, id: string): void {
    const data = text.startsWith("{") ? text : /^data: (\{.+)$/m.exec(text)?.[1];
    const [message] = data ? toMessages(data) : [];
    if (message?.result?.["protocolVersion"] !== this.revision) {
      this.simulation.violate(`${this.name} gets no session of its revision: ${text}`);
      return;
    }
    const session = new Session(this.cluster, this.name, id, true);
    this.session = session;
    this.#former.push(session);
    session.changes.ask("tools");
    this.#initialized(session, 0);
  }

  #initialized(session: Session, tries: number): void {
    this.#post(session, notification(NOTIFICATIONS_INITIALIZED), (answer) => {
      if (answer?.status === 202) {
        session.isReady = true;
        session.changes.confirm("tools");
      } else if (!session.isGone && tries < maxTries) this.later(500, () => this.#initialized(session, tries + 1));
    });
  }

  #end(session: Session): void {
    if (!this.simulation.conditions.endsSessions && !this.simulation.isHealed) return;
    session.endedBy = "the client";
    for (const call of session.calls.values()) call.excuses.add("its session ended");
    this.send(this.cluster.pick(), { method: "DELETE", headers: this.headers(session) }, (answer) => {
      if (answer?.status === 200) session.endedAt = this.simulation.now;
      session.isGone = true;
    });
  }

  // --- Calls ---

  #callAny(session: Session): void {
    const { random } = this.simulation;
    const isBatch = this.revision === batchRevision && random.chance(0.3);
    const calls = new Map<number, Call>();
    for (let count = isBatch ? random.between(1, 3) : 1; count > 0; count--)
      calls.set(this.#ids++, this.#newCall(session));
    const messages = [...calls].map(([id, { tool, given }]) =>
      request(id, TOOLS_CALL, { name: tool, arguments: given, _meta: { progressToken: given.token } }),
    );
    const cancellation = isBatch && random.chance(0.3) && this.#cancellation(session);
    if (cancellation) messages.push(cancellation);
    for (const [id, call] of calls) session.calls.set(id, call);
    const stream: CallStream = { calls: [...calls.values()], lastEventId: undefined };
    const node = this.cluster.pick();
    for (const call of stream.calls) call.nodes.add(node);
    const body = JSON.stringify(isBatch ? messages : messages[0]);
    const sent = { method: "POST", headers: this.headers(session), body } as const;
    this.exchange(node, sent, this.#reader(session, stream, `${this.name} <- ${node.name} `, 0));
  }

  #newCall(session: Session): Call {
    const { random } = this.simulation;
    const tool = random.pick(["echo", "steps", "steps", "ask", "ask", "wait", "store", "announce"] as const);
    const steps = random.between(1, 4);
    const pauseMs = random.pick([0, 5, 300, 4_000]);
    const closeAfter = random.chance(0.3) ? random.between(1, steps) : 0;
    const given = { token: this.newToken(), steps, pauseMs, closeAfter };
    return session.newCall(tool, given, this.principal.subject);
  }

  /** Reads the stream of calls. */
  #reader(session: Session, stream: CallStream, name: string, tries: number) {
    const sentAt = this.simulation.now;
    let hasProgress = false;
    const events: StreamEvents = {
      onMessage: (message, eventId) => {
        hasProgress = true;
        session.onServed(sentAt);
        if (eventId !== undefined) {
          session.onEventId(eventId);
          stream.lastEventId = eventId;
        }
        if (message) this.#receive(session, message, { calls: stream.calls, isOfSession: false });
      },
      onRefused: (status, text) => this.#onRefused(session, stream, status, text, tries),
      onOver: (isComplete) => {
        if (this.hasLeft || stream.calls.every(({ isOver }) => isOver)) return;
        if (stream.lastEventId !== undefined) return this.#resume(session, stream, hasProgress ? 0 : tries + 1);
        for (const call of stream.calls)
          if (!isComplete) call.excuses.add("its connection broke");
          else if (!call.isOver && !call.isExcused)
            this.simulation.violate(`the stream of ${call.token} ends without its response`);
      },
    };
    return readStream(events, (text) => this.simulation.note(name + text));
  }

  /** Continues the stream of calls at another node. */
  #resume(session: Session, stream: CallStream, tries: number): void {
    if (tries > maxTries || session.isGone) return;
    this.later(tries === 0 ? 200 : 2_000, () => {
      if (session.isGone) return;
      const node = this.cluster.pick();
      const headers = { ...this.headers(session), "last-event-id": stream.lastEventId ?? "" };
      const reader = this.#reader(session, stream, `${this.name} <- ${node.name} resumed `, tries);
      this.exchange(node, { method: "GET", headers }, reader);
    });
  }

  #onRefused(session: Session, stream: CallStream, status: number, text: string, tries: number): void {
    if (status === 404) return session.onGone();
    if (status === 503 && stream.lastEventId !== undefined) return this.#resume(session, stream, tries + 1);
    for (const call of stream.calls)
      if (status === 503 && call.isExcused) call.response ??= toMessages(text)[0];
      else this.simulation.violate(`call ${call.token} is refused: ${status} ${text}`);
  }

  #cancelAny(session: Session): void {
    const cancellation = this.#cancellation(session);
    if (cancellation) this.#post(session, cancellation, () => undefined);
  }

  #cancellation(session: Session): Message | undefined {
    const running = [...session.calls].filter(([, call]) => !call.isOver && !call.excuses.has("it was cancelled"));
    if (running.length === 0) return undefined;
    const [requestId, call] = this.simulation.random.pick(running);
    call.excuses.add("it was cancelled");
    return notification(NOTIFICATIONS_CANCELLED, { requestId });
  }

  // --- Other messages ---

  /** Sends a request whose result is empty. */
  #ask(session: Session, method: string, params: object | undefined, onResult: () => void): void {
    const id = this.#ids++;
    this.#post(session, request(id, method, params), (answer) => {
      if (answer?.status !== 200) return;
      const data = answer.text.startsWith("{") ? answer.text : (/^data: (\{.+)$/m.exec(answer.text)?.[1] ?? "{}");
      const [message] = toMessages(data);
      if (message?.result && message.id === id) onResult();
      else if (!this.simulation.conditions.failsCalls)
        this.simulation.violate(`${this.name} gets another response to ${method}: ${answer.text}`);
    });
  }

  /** One request at a time for each URI: of two, the server may handle either first. After a failed one, its state is not known. */
  #subscribe(session: Session, uri: (typeof uris)[number]): void {
    if (session.uncertainUris.has(uri)) return;
    session.uncertainUris.add(uri);
    const subscribes = this.simulation.random.chance(0.7);
    if (subscribes) session.changes.ask(uri);
    else session.changes.release(uri);
    this.#ask(session, subscribes ? RESOURCES_SUBSCRIBE : RESOURCES_UNSUBSCRIBE, { uri }, () => {
      session.uncertainUris.delete(uri);
      if (subscribes) session.changes.confirm(uri);
    });
  }

  #setLevel(session: Session): void {
    if (!session.logLevel.isCertain) return;
    session.logLevel.ask();
    const level = this.simulation.random.pick(levels);
    this.#ask(session, LOGGING_SET_LEVEL, { level }, () => session.logLevel.confirm(level));
  }

  #post(session: Session, message: Message, onAnswer: (answer?: Answer) => void): void {
    const sentAt = this.simulation.now;
    const sent = { method: "POST", headers: this.headers(session), body: JSON.stringify(message) } as const;
    this.send(this.cluster.pick(), sent, (answer) => {
      if (answer?.status === 404) session.onGone();
      else if (answer && answer.status < 300) session.onServed(sentAt);
      else if (answer && answer.status !== 503)
        this.simulation.violate(`${this.name} is refused: ${answer.status} ${answer.text}`);
      onAnswer(answer);
    });
  }

  // --- The stream of messages that belong to no request ---

  #listenAnew(session: Session): void {
    const { random } = this.simulation;
    if (!this.#listener?.isOpen || random.chance(0.3)) return this.#listen(session);
    this.#listener.reconnect();
  }

  #listen(session: Session): void {
    this.#listener?.leave();
    this.#listener = new Listener(this, session, (message) =>
      this.#receive(session, message, { calls: [], isOfSession: true }),
    );
    this.#listener.open();
  }

  /** Opens a connection for the listener. */
  openStream(session: Session, lastEventId: string | undefined, events: StreamEvents): Exchange {
    const node = this.cluster.pick();
    const headers = { ...this.headers(session), ...(lastEventId !== undefined && { "last-event-id": lastEventId }) };
    const reader = readStream(events, (text) => this.simulation.note(`${this.name} <- ${node.name} GET ${text}`));
    return this.exchange(node, { method: "GET", headers }, reader);
  }

  // --- Receiving ---

  #receive(session: Session, message: Message, carried: Carried): void {
    if (isQuestion(message)) answerQuestion(this, session, message, (...given) => this.#post(session, ...given));
    else receiveForSession(this, session, message, carried);
  }
}

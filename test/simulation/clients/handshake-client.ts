import {
  ELICITATION_CREATE,
  INITIALIZE,
  NOTIFICATIONS_CANCELLED,
  NOTIFICATIONS_INITIALIZED,
  PING,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
  SAMPLING_CREATE_MESSAGE,
  TOOLS_CALL,
} from "@mcpwright/protocol/names";
import type { Exchange } from "../network.js";
import { uris } from "../times.js";
import type { ToolArguments, ToolName } from "../tools.js";
import { Call } from "./call.js";
import { type Answer, SimulatedClient } from "./client.js";
import { Listener } from "./listener.js";
import { jsonHeaders, type Message, notification, request, toMessages } from "./messages.js";
import { readStream, type StreamEvents } from "./post-stream.js";
import { receiveForSession } from "./receive.js";
import { Session } from "./session.js";

/** How often a client tries again to continue a stream, or to send an answer. */
const maxTries = 40;

/** A client with a session over Streamable HTTP. Each request goes to any node. */
export class HandshakeClient extends SimulatedClient {
  session: Session | undefined;
  #isOpening = false;
  #listener: Listener | undefined;
  #ids = 0;
  readonly #former: Session[] = [];

  override get sessionId(): string | undefined {
    return this.session?.id;
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
    else if (kind < 0.88) this.#ask(session, PING, undefined, () => undefined);
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
    const capabilities = this.revision === "2025-03-26" ? { sampling: {} } : { elicitation: {} };
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
    const session = new Session(this.cluster, this.name, id);
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
    const tool = random.pick(["echo", "steps", "steps", "ask", "ask", "wait", "store", "announce"] as const);
    const steps = random.between(1, 4);
    const pauseMs = random.pick([0, 5, 300, 4_000]);
    const closeAfter = random.chance(0.3) ? random.between(1, steps) : 0;
    this.#call(session, tool, { token: this.newToken(), steps, pauseMs, closeAfter });
  }

  #call(session: Session, tool: ToolName, given: ToolArguments): void {
    const stored = [...session.calls.values()].filter((one) => one.tool === "store" && one.hasSucceeded);
    const storedBefore = stored.map(({ token }) => token);
    const { id: sessionId } = session;
    const { id: name, subject } = { id: this.name, subject: this.principal.subject };
    const call = new Call(this.simulation, name, tool, given, sessionId, subject, storedBefore);
    if (session.endedBy) call.excuses.add("its session ended");
    const id = this.#ids++;
    session.calls.set(id, call);
    const params = { name: tool, arguments: given, _meta: { progressToken: given.token } };
    const node = this.cluster.pick();
    call.nodes.add(node);
    const body = JSON.stringify(request(id, TOOLS_CALL, params));
    const sent = { method: "POST", headers: this.headers(session), body } as const;
    this.exchange(node, sent, this.#reader(session, call, `${this.name} <- ${node.name} `, 0));
  }

  /** Reads the stream of a call. */
  #reader(session: Session, call: Call, name: string, tries: number) {
    const sentAt = this.simulation.now;
    let hasProgress = false;
    const events: StreamEvents = {
      onMessage: (message, eventId) => {
        hasProgress = true;
        session.onServed(sentAt);
        if (eventId !== undefined) {
          session.onEventId(eventId);
          call.lastEventId = eventId;
        }
        if (message) this.#receive(session, message, call);
      },
      onRefused: (status, text) => this.#onRefused(session, call, status, text, tries),
      onOver: (isComplete) => {
        if (call.isOver || this.hasLeft) return;
        if (call.lastEventId !== undefined) return this.#resume(session, call, hasProgress ? 0 : tries + 1);
        if (!isComplete) call.excuses.add("its connection broke");
        else if (!call.isExcused) this.simulation.violate(`the stream of ${call.token} ends without its response`);
      },
    };
    return readStream(events, (text) => this.simulation.note(name + text));
  }

  /** Continues the stream of a call at another node. */
  #resume(session: Session, call: Call, tries: number): void {
    if (tries > maxTries || session.isGone) return;
    this.later(tries === 0 ? 200 : 2_000, () => {
      if (session.isGone) return;
      const node = this.cluster.pick();
      const headers = { ...this.headers(session), "last-event-id": call.lastEventId ?? "" };
      const reader = this.#reader(session, call, `${this.name} <- ${node.name} resumed `, tries);
      this.exchange(node, { method: "GET", headers }, reader);
    });
  }

  #onRefused(session: Session, call: Call, status: number, text: string, tries: number): void {
    if (status === 404) return session.onGone();
    if (status === 503 && call.lastEventId !== undefined) return this.#resume(session, call, tries + 1);
    const isRefused = status === 503 && call.isExcused;
    if (isRefused) call.response = toMessages(text)[0];
    else this.simulation.violate(`call ${call.token} is refused: ${status} ${text}`);
  }

  #cancelAny(session: Session): void {
    const running = [...session.calls].filter(([, call]) => !call.isOver && !call.excuses.has("it was cancelled"));
    if (running.length === 0) return;
    const [requestId, call] = this.simulation.random.pick(running);
    call.excuses.add("it was cancelled");
    this.#post(session, notification(NOTIFICATIONS_CANCELLED, { requestId }), () => undefined);
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
    this.#listener = new Listener(this, session, (message) => this.#receive(session, message, undefined));
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

  #receive(session: Session, message: Message, own: Call | undefined): void {
    if (message.method === ELICITATION_CREATE || message.method === SAMPLING_CREATE_MESSAGE)
      this.#answer(session, message);
    else receiveForSession(this, session, message, own);
  }

  /** Answers a question of the server, at any node. */
  #answer(session: Session, message: Message): void {
    const { id = "" } = message;
    session.onQuestion(id);
    const { token, step } = questionOf(message);
    const call = [...session.calls.values()].find((one) => one.token === token);
    if (!call) return this.simulation.violate(`${this.name} is asked for ${token}, which is not its own`);
    if (call.isOver) return;
    const { random } = this.simulation;
    if (random.chance(0.05)) return void call.excuses.add("its question was not answered");
    const answers = Array.from({ length: random.chance(0.1) ? 2 : 1 }, (_, at) => `${token}/${step}/${at}`);
    call.answers.set(step, answers);
    for (const answer of answers) this.later(1_000, () => this.#sendAnswer(session, id, answer, 0));
  }

  #sendAnswer(session: Session, id: string | number, answer: string, tries: number): void {
    const result =
      this.revision === "2025-03-26"
        ? { role: "assistant", model: "m", content: { type: "text", text: answer } }
        : { action: "accept", content: { answer } };
    const message: Message = { jsonrpc: "2.0", id, result };
    this.#post(session, message, (received) => {
      const isTaken = received !== undefined && received.status !== 503;
      if (!isTaken && !session.isGone && tries < maxTries)
        this.later(300, () => this.#sendAnswer(session, id, answer, tries + 1));
    });
  }
}

/** What a question of the server is about: a form, or a message to a model. */
function questionOf({ params }: Message): { readonly token: string; readonly step: number } {
  const [sampled] = (params?.["messages"] ?? []) as readonly { readonly content: { readonly text: string } }[];
  return JSON.parse(sampled?.content.text ?? String(params?.["message"])) as { token: string; step: number };
}

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
import type { Node } from "../node.js";
import { uris } from "../times.js";
import { answerQuestion, isQuestion } from "./answer.js";
import type { Excuse } from "./call.js";
import { type Answer, type SessionAddress, SimulatedClient } from "./client.js";
import { levels } from "./log-level.js";
import { jsonHeaders, type Message, notification, request, toMessages } from "./messages.js";
import { receiveForSession } from "./receive.js";
import { Session } from "./session.js";
import { SseReader } from "./sse-reader.js";

/** After so many milliseconds without a response, the node of a stream counts as dead. */
const silenceMs = 15_000;
/** How often a client tries again to send `notifications/initialized`. */
const maxTries = 40;

/** A stream, and the session on it: both end together. */
interface Connection {
  readonly node: Node;
  readonly exchange: Exchange;
  isOpen: boolean;
  /** Where the messages of the client go, and its session; undefined until the server has named them. */
  postUrl?: string;
  session?: Session;
}

type OpenConnection = Connection & Required<Pick<Connection, "postUrl" | "session">>;

/** A client of HTTP+SSE (2024-11-05): one stream carries everything that it gets, and each of its POSTs goes to any node. */
export class SseClient extends SimulatedClient {
  #connection: Connection | undefined;
  #ids = 0;
  /** The sent requests that are not calls of tools, by id. */
  readonly #asked = new Map<unknown, (message: Message) => void>();
  readonly #former: Session[] = [];

  override get address(): SessionAddress | undefined {
    const { isOpen, postUrl, session } = this.#connection ?? {};
    if (!isOpen || !session || postUrl === undefined) return undefined;
    return { url: postUrl, headers: {}, requestIds: [...session.calls.keys()] };
  }

  act(): void {
    const connection = this.#connection;
    if (!connection?.isOpen) return this.#open();
    if (!isReady(connection)) return;
    const { random } = this.simulation;
    const kind = random.next();
    if (kind < 0.6) this.#call(connection);
    else if (kind < 0.72) this.#subscribe(connection, random.pick(uris));
    else if (kind < 0.82) this.#cancelAny(connection);
    else if (kind < 0.88) this.#ask(connection, PING, undefined, () => undefined);
    else if (kind < 0.94) this.#setLevel(connection);
    else this.#leave(connection);
  }

  settle(): void {
    if (!this.#connection?.isOpen) this.#open();
  }

  checkEnd(): void {
    const { isOpen, session } = this.#connection ?? {};
    for (const one of this.#former) one.checkEnd(one === session && one.isReady && isOpen === true);
  }

  protected override sayGoodbye(): void {
    // The session ends with the stream.
  }

  // --- The stream ---

  #open(): void {
    const node = this.cluster.pick();
    const reader = new SseReader();
    let status = 0;
    const exchange = this.exchange(
      node,
      { method: "GET", headers: { accept: "text/event-stream" } },
      {
        onHead: (received) => {
          status = received;
          if (status !== 200 && status !== 503) this.simulation.violate(`${this.name} gets no stream: ${status}`);
        },
        onText: (text) => {
          this.simulation.note(`${this.name} <- ${node.name} ${status} ${text}`);
          if (status === 200)
            for (const { event, data = "" } of reader.read(text))
              if (event === "endpoint") this.#onEndpoint(connection, data);
              else if (data) for (const message of toMessages(data)) this.#receive(connection, message);
        },
        onEnd: () => this.#onOver(connection),
        onLost: () => this.#onOver(connection),
      },
    );
    const connection: Connection = { node, exchange, isOpen: true };
    this.#connection = connection;
  }

  #onEndpoint(connection: Connection, postUrl: string): void {
    const id = new URLSearchParams(postUrl.slice(postUrl.indexOf("?"))).get("sseSession") ?? "";
    const session = new Session(this.cluster, this.name, id, false);
    this.#former.push(session);
    const open: OpenConnection = Object.assign(connection, { postUrl, session });
    session.changes.ask("tools");
    const params = {
      protocolVersion: this.revision,
      capabilities: { sampling: {} },
      clientInfo: { name: this.name, version: "1" },
    };
    const onResponse = ({ result }: Message): void => {
      if (result?.["protocolVersion"] === this.revision) this.#initialized(open, 0);
      else this.simulation.violate(`${this.name} gets no session of its revision`);
    };
    this.#request(open, INITIALIZE, params, onResponse, (answer) => {
      // The client cannot know whether it has arrived.
      if (answer?.status !== 202) this.#leave(open);
    });
  }

  #initialized(connection: OpenConnection, tries: number): void {
    this.#post(connection, notification(NOTIFICATIONS_INITIALIZED), (answer) => {
      if (!connection.isOpen) return;
      if (answer?.status === 202) {
        connection.session.isReady = true;
        connection.session.changes.confirm("tools");
      } else if (tries < maxTries) this.later(500, () => this.#initialized(connection, tries + 1));
    });
  }

  #leave(connection: Connection): void {
    connection.exchange.leave();
    this.#onOver(connection);
  }

  #onOver(connection: Connection): void {
    connection.isOpen = false;
    if (!connection.session) return;
    connection.session.isGone = true;
    excuseAll(connection.session, "its connection broke");
  }

  // --- Messages of the client ---

  #call(connection: OpenConnection): void {
    const { random } = this.simulation;
    const tool = random.pick(["echo", "steps", "steps", "ask", "ask", "wait", "store", "announce"] as const);
    const given = { token: this.newToken(), steps: random.between(1, 4), pauseMs: random.pick([0, 5, 300, 4_000]) };
    const call = connection.session.newCall(tool, given, this.principal.subject);
    call.nodes.add(connection.node);
    const id = this.#ids++;
    connection.session.calls.set(id, call);
    const params = { name: tool, arguments: given, _meta: { progressToken: given.token } };
    this.#post(connection, request(id, TOOLS_CALL, params), (answer) => {
      // It may have arrived nevertheless.
      if (answer?.status !== 202) call.excuses.add("its message was refused");
    });
  }

  #cancelAny(connection: OpenConnection): void {
    const running = [...connection.session.calls].filter(([, call]) => !call.isOver);
    if (running.length === 0) return;
    const [requestId, call] = this.simulation.random.pick(running);
    call.excuses.add("it was cancelled");
    this.#post(connection, notification(NOTIFICATIONS_CANCELLED, { requestId }), () => undefined);
  }

  #subscribe(connection: OpenConnection, uri: (typeof uris)[number]): void {
    const { uncertainUris, changes } = connection.session;
    if (uncertainUris.has(uri)) return;
    uncertainUris.add(uri);
    const subscribes = this.simulation.random.chance(0.7);
    if (subscribes) changes.ask(uri);
    else changes.release(uri);
    this.#ask(connection, subscribes ? RESOURCES_SUBSCRIBE : RESOURCES_UNSUBSCRIBE, { uri }, () => {
      uncertainUris.delete(uri);
      if (subscribes) changes.confirm(uri);
    });
  }

  #setLevel(connection: OpenConnection): void {
    const { logLevel } = connection.session;
    if (!logLevel.isCertain) return;
    logLevel.ask();
    const level = this.simulation.random.pick(levels);
    this.#ask(connection, LOGGING_SET_LEVEL, { level }, () => logLevel.confirm(level));
  }

  /** Sends a request whose result is empty. */
  #ask(connection: OpenConnection, method: string, params: object | undefined, onResult: () => void): void {
    const onResponse = (message: Message): void => {
      if (message.result) onResult();
      else this.simulation.violate(`${this.name} gets another response to ${method}: ${JSON.stringify(message)}`);
    };
    this.#request(connection, method, params, onResponse, () => undefined);
  }

  #request(
    connection: OpenConnection,
    method: string,
    params: object | undefined,
    onResponse: (message: Message) => void,
    onAnswer: (answer?: Answer) => void,
  ): void {
    const id = this.#ids++;
    this.#asked.set(id, onResponse);
    this.#post(connection, request(id, method, params), onAnswer);
  }

  #post(connection: OpenConnection, message: Message, onAnswer: (answer?: Answer) => void): void {
    const sentAt = this.simulation.now;
    const sent = {
      method: "POST",
      url: connection.postUrl,
      headers: jsonHeaders,
      body: JSON.stringify(message),
    } as const;
    this.send(this.cluster.pick(), sent, (answer) => {
      if (answer?.status === 404) this.#onUnknown(connection, sentAt);
      else if (answer && answer.status !== 202 && answer.status !== 503)
        this.simulation.violate(`${this.name} is refused: ${answer.status} ${answer.text}`);
      onAnswer(answer);
    });
  }

  /** A node does not know the stream of a POST. */
  #onUnknown({ exchange, node, session }: OpenConnection, sentAt: number): void {
    const { now, conditions } = this.simulation;
    const mayHaveEnded = exchange.isOver || !node.isAlive || node.isClosing || conditions.failsCalls;
    if (!mayHaveEnded && now < sentAt + silenceMs)
      this.simulation.violate(`the stream of ${this.name} at ${node.name} is lost`);
    excuseAll(session, "its message was refused");
  }

  // --- Messages of the server ---

  #receive(connection: Connection, message: Message): void {
    if (!hasSession(connection)) return this.simulation.violate(`${this.name} gets a message before its URL`);
    const { session } = connection;
    if (isQuestion(message))
      return answerQuestion(this, session, message, (...given) => this.#post(connection, ...given));
    const onResponse = message.method === undefined ? this.#asked.get(message.id) : undefined;
    this.#asked.delete(message.id);
    if (onResponse) onResponse(message);
    else receiveForSession(this, session, message, { calls: [...session.calls.values()], isOfSession: true });
  }
}

function hasSession(connection: Connection): connection is OpenConnection {
  return connection.session !== undefined;
}

function isReady(connection: Connection): connection is OpenConnection {
  return connection.session?.isReady === true;
}

function excuseAll({ calls }: Session, excuse: Excuse): void {
  for (const call of calls.values()) call.excuses.add(excuse);
}

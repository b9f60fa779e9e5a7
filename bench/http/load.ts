import { bookCall, checkCall, price, type Template, textOf } from "../shared/traffic.js";
import { Connection, isStream, messagesIn, type Reply, sessionIn } from "./connection.js";
import type { Credentials } from "./credentials.js";
import {
  callOf,
  type Conversation,
  firstId,
  type Form,
  type Kind,
  lastId,
  openedOf,
  openingOf,
  revisionOf,
} from "./forms.js";

const clients = 32;

/**
 * The clients of a server, each with its own connection and, if the server has sessions, its own session. If the server has several
 * nodes, each client has a connection to every node, and sends each call to the next one.
 */
export class Load {
  readonly #ports: readonly number[];
  readonly #form: Form;
  readonly #clients: Client[] = [];
  #id = firstId;

  readonly #credentials: Credentials | undefined;

  /** @param ports of the nodes; each has the load of 32 clients */
  constructor(ports: number | readonly number[], form: Form, credentials?: Credentials) {
    this.#ports = typeof ports === "number" ? [ports] : ports;
    this.#form = form;
    this.#credentials = credentials;
  }

  /** Makes what the next calls need besides their text. */
  async prepare(calls: number): Promise<void> {
    await this.#credentials?.prepare(calls);
  }

  /** Opens each client and makes one call with it. */
  async open(): Promise<void> {
    const { kind } = this.#form;
    const nodes = this.#ports.length;
    await this.prepare((nodes + 2) * clients * nodes);
    for (let at = 0; at < clients * nodes; at++) {
      const connection = await Connection.open(this.#ports[at % nodes] as number);
      const call = callOf(await openOn(connection, kind, this.#credentials), bookCall);
      connection.close();
      this.#clients.push(new Client(call, at));
    }
    await this.connect();
    await this.ask(clients * nodes * nodes);
    this.disconnect();
  }

  /** Opens new connections: servers close those that have been idle for some seconds. */
  async connect(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.connect(this.#ports)));
  }

  disconnect(): void {
    for (const client of this.#clients) client.disconnect();
  }

  /** Makes sequential calls and returns the latency of each, in microseconds. */
  async ask(count: number): Promise<readonly number[]> {
    const times: number[] = [];
    for (let one = 0; one < count; one++) {
      const id = this.#nextId();
      const client = this.#clients[one % this.#clients.length] as Client;
      const text = withCredentials(textOf(client.call, id), this.#credentials);
      const connection = client.next();
      const sent = performance.now();
      const reply = await connection.ask(text);
      times.push((performance.now() - sent) * 1_000);
      this.#check(reply, id);
    }
    return times;
  }

  /** Makes `count` calls; each client has one pending call at a time. @throws when a reply is wrong */
  pump(count: number): Promise<void> {
    const stream = this.#form.reply === "sse";
    let toSend = count;
    let waiting = 0;
    return new Promise((resolve, reject) => {
      const send = (client: Client): void => {
        if (toSend === 0) return;
        toSend--;
        waiting++;
        const id = this.#nextId();
        const onreply = (reply: Reply): void => {
          const { status, head, body } = reply;
          waiting--;
          // A quick check: sequential calls check the whole reply.
          const right =
            status === 200 && body.includes(`"id":${id}`) && body.includes(price) && isStream(head) === stream;
          if (!right) reject(new Error(`unexpected reply: ${head}\n\n${body}`));
          send(client);
          if (waiting === 0) resolve();
        };
        client.next().send(withCredentials(textOf(client.call, id), this.#credentials), onreply, reject);
      };
      for (const client of this.#clients) send(client);
      // A process that sleeps has to be woken up by the server's write, the more often, the slower the server is.
      const poll = (): void => void (waiting > 0 && setImmediate(poll));
      poll();
    });
  }

  #check(reply: Reply, id: number): void {
    const { kind, reply: form } = this.#form;
    if (reply.status !== 200 || isStream(reply.head) !== (form === "sse"))
      throw new Error(`unexpected form: ${reply.head}\n\n${reply.body}`);
    const messages = messagesIn(reply);
    if (messages.length !== 1) throw new Error(`expected one message: ${reply.body}`);
    checkCall(messages[0], id, revisionOf(kind));
  }

  #nextId(): number {
    this.#id = this.#id === lastId ? firstId : this.#id + 1;
    return this.#id;
  }
}

/** A client, with a connection to each node. */
class Client {
  #connections: readonly Connection[] = [];

  /** @param turn decides to which node it sends the first call */
  constructor(
    readonly call: Template,
    private turn: number,
  ) {}

  async connect(ports: readonly number[]): Promise<void> {
    this.#connections = await Promise.all(ports.map((port) => Connection.open(port)));
  }

  disconnect(): void {
    for (const connection of this.#connections) connection.close();
  }

  /** The connection for the next call. */
  next(): Connection {
    return this.#connections[++this.turn % this.#connections.length] as Connection;
  }
}

/** Opens a client. @throws when the server's use of sessions differs from `kind` */
export async function openOn(
  connection: Connection,
  kind: Kind,
  credentials?: Credentials,
  capabilities?: object,
): Promise<Conversation> {
  const opening = await connection.ask(withCredentials(openingOf(kind, capabilities), credentials));
  if (opening.status !== 200) throw new Error(`not opened: ${opening.head}\n\n${opening.body}`);
  const session = sessionIn(opening.head);
  if ((session === undefined) === (kind === "sessions")) throw new Error(`expected ${kind}: ${opening.head}`);
  const [{ result }] = messagesIn(opening) as [{ readonly result?: { readonly protocolVersion?: string } }];
  const conversation = { kind, version: result?.protocolVersion ?? revisionOf(kind), session };
  if (kind !== "stateless") {
    const { status, head, body } = await connection.ask(withCredentials(openedOf(conversation), credentials));
    if (status !== 202) throw new Error(`not accepted: ${head}\n\n${body}`);
  }
  return conversation;
}

/** Adds the header lines of the credentials after the request line. */
function withCredentials(text: string, credentials: Credentials | undefined): string {
  if (!credentials) return text;
  const at = text.indexOf("\r\n") + 2;
  return text.slice(0, at) + credentials.next() + text.slice(at);
}

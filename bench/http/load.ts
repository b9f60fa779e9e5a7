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

/** The clients of one server, each with its own connection and, if the server has sessions, its own session. */
export class Load {
  readonly #port: number;
  readonly #form: Form;
  readonly #calls: Template[] = [];
  #connections: readonly Connection[] = [];
  #id = firstId;

  readonly #credentials: Credentials | undefined;

  constructor(port: number, form: Form, credentials?: Credentials) {
    this.#port = port;
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
    await this.connect();
    await this.prepare(3 * clients);
    for (const connection of this.#connections) {
      this.#calls.push(callOf(await openOn(connection, kind, this.#credentials), bookCall));
    }
    await this.ask(clients);
    this.disconnect();
  }

  /** Opens new connections: servers close those that have been idle for some seconds. */
  async connect(): Promise<void> {
    this.#connections = await Promise.all(Array.from({ length: clients }, () => Connection.open(this.#port)));
  }

  disconnect(): void {
    for (const connection of this.#connections) connection.close();
  }

  /** Makes sequential calls and returns the latency of each, in microseconds. */
  async ask(count: number): Promise<readonly number[]> {
    const times: number[] = [];
    for (let one = 0; one < count; one++) {
      const id = this.#nextId();
      const at = one % clients;
      const text = withCredentials(textOf(this.#calls[at] as Template, id), this.#credentials);
      const sent = performance.now();
      const reply = await (this.#connections[at] as Connection).ask(text);
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
      const send = (connection: Connection, call: Template): void => {
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
          send(connection, call);
          if (waiting === 0) resolve();
        };
        connection.send(withCredentials(textOf(call, id), this.#credentials), onreply, reject);
      };
      this.#connections.forEach((connection, at) => send(connection, this.#calls[at] as Template));
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

/** Opens a client. @throws when the server's use of sessions differs from `kind` */
export async function openOn(connection: Connection, kind: Kind, credentials?: Credentials): Promise<Conversation> {
  const opening = await connection.ask(withCredentials(openingOf(kind), credentials));
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

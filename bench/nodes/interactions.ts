import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Connection, type Reply } from "../http/connection.js";
import { callOf, type Conversation, firstId, listeningOf, messageOf, revisionOf } from "../http/forms.js";
import { openOn } from "../http/load.js";
import { request, type Template, textOf } from "../shared/traffic.js";
import { asking, done, metaUri, touching } from "./names.js";

/** A client that does something at two nodes. */
export interface Actor {
  act(): Promise<void>;
  close(): void;
}

const kind = "sessions";

/** Calls a tool at one node, which asks the user; the answer reaches the other node. */
export async function openAsker(called: number, answered: number): Promise<Actor> {
  const [calling, answering] = [await Connection.open(called), await Connection.open(answered)];
  const conversation = await openOn(calling, kind, undefined, { elicitation: {} });
  const call = callOf(conversation, { name: asking });
  let id = firstId;
  return {
    act: () => ask(calling, answering, conversation, textOf(call, ++id)),
    close: () => [calling, answering].forEach((connection) => connection.close()),
  };
}

function ask(calling: Connection, answering: Connection, conversation: Conversation, call: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    let left = 2;
    const onreply = (isRight: boolean, { head, body }: Reply): void => {
      if (!isRight) reject(new Error(`unexpected reply: ${head}\n\n${body}`));
      else if (--left === 0) resolve();
    };
    const onpart = (received: string): void => {
      const id = isAnswered ? undefined : questionIn(received);
      if (id === undefined) return;
      isAnswered = true;
      const answer = `{"jsonrpc":"2.0","id":"${id}","result":{"action":"accept","content":{"city":"Kyoto"}}}`;
      answering.send(messageOf(conversation, answer), (reply) => onreply(reply.status === 202, reply), reject);
    };
    calling.send(call, (reply) => onreply(reply.body.includes(`"text":"${done}"`), reply), reject, onpart);
  });
}

/** The id of the question, as soon as it is in the received part of a stream. */
function questionIn(received: string): string | undefined {
  return /"id":"([^"]+)","method":"elicitation\/create"/.exec(received)?.[1];
}

/** Calls a tool at one node, which announces a change of a resource; the notification reaches the client's GET stream at the other node. */
export async function openListener(called: number, listening: number): Promise<Actor> {
  const calling = await Connection.open(called);
  const conversation = await openOn(calling, kind);
  const uri = `bench://${String(conversation.session)}`;
  await expectDone(calling, messageOf(conversation, textOf(subscribe(uri), firstId)), '"result":{}');
  const stream = await EventStream.open(listening, listeningOf(conversation));
  const call = callOf(conversation, { name: touching, _meta: { [metaUri]: uri } });
  let id = firstId;
  return {
    async act() {
      const received = stream.next(uri);
      await expectDone(calling, textOf(call, ++id), `"text":"${done}"`);
      await received;
    },
    close() {
      calling.close();
      stream.close();
    },
  };
}

function subscribe(uri: string): Template {
  return request("resources/subscribe", { uri }, revisionOf(kind));
}

async function expectDone(connection: Connection, text: string, part: string): Promise<void> {
  const { head, body } = await connection.ask(text);
  if (!body.includes(part)) throw new Error(`unexpected reply: ${head}\n\n${body}`);
}

/** An open response whose events arrive one by one. */
class EventStream {
  #received = "";
  #wanted: { readonly part: string; readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(readonly socket: Socket) {
    socket.setEncoding("latin1").on("data", (text: string) => this.#receive(text));
    socket.on("close", () => this.#wanted?.reject(new Error(`the stream has ended: ${this.#received}`)));
  }

  static async open(port: number, text: string): Promise<EventStream> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    socket.write(text);
    const stream = new EventStream(socket);
    await stream.next("HTTP/1.1 200");
    return stream;
  }

  /** Waits until something arrives with `part`. */
  next(part: string): Promise<void> {
    this.#received = "";
    return new Promise((resolve, reject) => {
      this.#wanted = { part, resolve, reject };
    });
  }

  close(): void {
    this.#wanted = undefined;
    this.socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    if (this.#wanted && this.#received.includes(this.#wanted.part)) this.#wanted.resolve();
  }
}

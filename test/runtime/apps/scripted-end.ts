import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import type { Transport } from "../../../runtime/src/transport/transport.js";

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** One end of a connection that answers requests by method and records all messages. */
export class ScriptedEnd {
  readonly received: Message[] = [];
  /** The results of requests by method; a function gets the params. Undefined stands for no response, an error for an error response. */
  readonly answers: Record<string, unknown>;
  #ids = 0;

  constructor(
    readonly transport: Transport,
    answers: Record<string, unknown>,
  ) {
    this.answers = answers;
    transport.onmessage = (message) => this.#receive(message as Message);
  }

  /** Connects two ends in this process. */
  static async open(answers: Record<string, unknown>): Promise<{ end: ScriptedEnd; other: Transport }> {
    const [here, other] = InMemoryTransport.createLinkedPair();
    const end = new ScriptedEnd(here, answers);
    await here.start();
    return { end, other };
  }

  send(message: object): void {
    void this.transport.send({ jsonrpc: "2.0", ...message } as never);
  }

  /** Sends a request and returns the response. */
  async request(method: string, params?: object): Promise<Message> {
    const id = `their-${++this.#ids}`;
    this.send({ id, method, ...(params && { params }) });
    return this.when((message) => message.id === id && message.method === undefined);
  }

  /** The methods of the received messages. */
  get methods(): readonly (string | undefined)[] {
    return this.received.map(({ method }) => method);
  }

  /** Waits until a message with this method was received. */
  heard(method: string): Promise<Message> {
    return this.when((message) => message.method === method);
  }

  async when(isIt: (message: Message) => boolean): Promise<Message> {
    for (let times = 0; times < 2_000; times++) {
      const found = this.received.find(isIt);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error(`no such message among ${JSON.stringify(this.received)}`);
  }

  #receive(message: Message): void {
    this.received.push(message);
    const { id, method, params } = message;
    if (id === undefined || method === undefined || !Object.hasOwn(this.answers, method)) return;
    const answer = this.answers[method];
    const result: unknown = typeof answer === "function" ? (answer as (params: unknown) => unknown)(params) : answer;
    if (result instanceof Error) this.send({ id, error: { code: -32000, message: result.message } });
    else if (result !== undefined) this.send({ id, result });
  }
}

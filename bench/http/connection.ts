import { connect, type Socket } from "node:net";

export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * A minimal HTTP client on one keep-alive connection, with one pending request at a time. It parses only the forms of HTTP
 * that the measured servers write.
 */
export class Connection {
  readonly #socket: Socket;
  #received = "";
  #onreply: ((reply: Reply) => void) | undefined;
  #onpart: ((received: string) => void) | undefined;
  #onfail: (error: Error) => void = () => undefined;

  private constructor(port: number) {
    const callback = (count: number, buffer: Uint8Array): boolean => {
      this.#read((buffer as Buffer).toString("latin1", 0, count));
      return true;
    };
    this.#socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(65_536), callback },
    });
    this.#socket.on("error", (error) => this.#onfail(error));
    this.#socket.on("close", () => this.#onfail(new Error(`the server closed the connection: ${this.#received}`)));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection = new Connection(port);
      connection.#onfail = reject;
      connection.#socket.once("connect", () => resolve(connection));
    });
  }

  /** @param onpart called with what has been received of the reply, whenever that is more */
  send(
    text: string,
    onreply: (reply: Reply) => void,
    onfail: (error: Error) => void,
    onpart?: (received: string) => void,
  ): void {
    this.#onreply = onreply;
    this.#onfail = onfail;
    this.#onpart = onpart;
    this.#socket.write(text, "latin1");
  }

  ask(text: string): Promise<Reply> {
    return new Promise((resolve, reject) => this.send(text, resolve, reject));
  }

  /** Sends a request and waits until the received part of its reply includes `part`. */
  askUntil(text: string, part: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const onpart = (received: string): void => void (received.includes(part) && resolve());
      // On a busy machine, later parts may have arrived in the same chunk.
      this.send(text, ({ status, body }) => reject(new Error(`replied with ${status}: ${body}`)), reject, onpart);
    });
  }

  close(): void {
    this.#onfail = () => undefined;
    this.#socket.destroy();
  }

  /** Closes with a TCP reset. */
  reset(): void {
    this.#onfail = () => undefined;
    this.#socket.resetAndDestroy();
  }

  #read(text: string): void {
    this.#received = this.#received === "" ? text : this.#received + text;
    this.#onpart?.(this.#received);
    const reply = replyIn(this.#received);
    if (!reply) return;
    this.#received = "";
    this.#onreply?.(reply);
  }
}

const endOfChunks = "\r\n0\r\n\r\n";

/** Parses a reply; undefined while it is incomplete. */
function replyIn(text: string): Reply | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const body = text.slice(end + 4);
    return body.length < Number(length) ? undefined : { status, head, body };
  }
  if (!text.endsWith(endOfChunks)) return undefined;
  return { status, head, body: joined(text.slice(end + 2, -endOfChunks.length)) };
}

/** Joins chunks without their lengths. */
function joined(chunks: string): string {
  let body = "";
  for (let at = 0; at < chunks.length;) {
    const start = chunks.indexOf("\r\n", at + 2) + 2;
    const length = parseInt(chunks.slice(at + 2, start), 16);
    body += chunks.slice(start, start + length);
    at = start + length;
  }
  return body;
}

/** The messages of a reply: the body, or the data of its events. */
export function messagesIn({ head, body }: Reply): readonly unknown[] {
  if (!isStream(head)) return [JSON.parse(body)];
  return body.split("\n\n").flatMap((event) => {
    const data = event.split("\n").filter((line) => line.startsWith("data:"));
    const text = data.map((line) => line.slice(5)).join("\n");
    return text.trim() === "" ? [] : [JSON.parse(text) as unknown];
  });
}

export function isStream(head: string): boolean {
  return /\r\ncontent-type: *text\/event-stream/i.test(head);
}

export function sessionIn(head: string): string | undefined {
  return /\r\nmcp-session-id: *(\S+)/i.exec(head)?.[1];
}

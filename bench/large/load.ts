import { connect, type Socket } from "node:net";
import { HttpServerProcess } from "../http/server-process.js";
import type { Template } from "../shared/traffic.js";
import { request, textOf } from "../shared/traffic.js";
import { ServerProcess } from "../stdio/server-process.js";
import type { Large } from "./results.js";

const revision = "2025-11-25";
const call = request("tools/call", { name: "large", arguments: {} }, revision);

/** A running server and its load: one call at a time. */
export interface Target {
  readonly cpuMs: number;
  /** Makes `count` calls. @throws when a reply is shorter than the result */
  pump(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function stdioTarget(script: string, { name, leastBytes }: Large): Promise<Target> {
  const server = new ServerProcess([script, name]);
  await server.open(revision);
  const reply = JSON.stringify(await server.ask(call));
  if (reply.length < leastBytes) throw new Error(`unexpected reply: ${reply.slice(0, 500)}`);
  return {
    get cpuMs() {
      return server.cpuMs;
    },
    pump: (count) => server.pump(call, count, 1),
    close: () => server.close(),
  };
}

export async function httpTarget(script: string, { name, leastBytes }: Large): Promise<Target> {
  const server = await HttpServerProcess.start(script, [name]);
  const client = await LargeClient.open(server.port);
  let id = 0;
  return {
    get cpuMs() {
      return server.cpuMs;
    },
    async pump(count) {
      for (let one = 0; one < count; one++) {
        const bytes = await client.ask(postOf(call, ++id));
        if (bytes < leastBytes) throw new Error(`expected ${leastBytes} bytes, received ${bytes}`);
      }
    },
    async close() {
      client.close();
      await server.close();
    },
  };
}

function postOf(template: Template, id: number): string {
  const body = textOf(template, id);
  return (
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
    `Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: ${revision}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Counts the bytes of bodies with a length and keeps none, so that the load costs less than the server. */
class LargeClient {
  readonly #socket: Socket;
  #head = "";
  #missing = -1;
  #length = 0;
  #done: (bytes: number) => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;

  private constructor(port: number) {
    const callback = (count: number, buffer: Uint8Array): boolean => {
      this.#read(buffer.subarray(0, count));
      return true;
    };
    this.#socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(2 ** 20), callback },
    });
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error(`the server closed the connection: ${this.#head}`)));
  }

  static open(port: number): Promise<LargeClient> {
    return new Promise((resolve, reject) => {
      const client = new LargeClient(port);
      client.#fail = reject;
      client.#socket.once("connect", () => resolve(client));
    });
  }

  /** Sends a request and returns the number of bytes of the response's body. */
  ask(text: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#fail = reject;
      this.#head = "";
      this.#missing = -1;
      this.#socket.write(text, "latin1");
    });
  }

  close(): void {
    this.#fail = () => undefined;
    this.#socket.destroy();
  }

  #read(chunk: Uint8Array): void {
    if (this.#missing >= 0) this.#missing -= chunk.length;
    else {
      this.#head += Buffer.from(chunk).toString("latin1");
      const end = this.#head.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /^HTTP\/1\.1 200 [^]*\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end))?.[1];
      if (length === undefined) return this.#fail(new Error(`unexpected reply: ${this.#head.slice(0, 500)}`));
      this.#length = Number(length);
      this.#missing = this.#length - (this.#head.length - end - 4);
    }
    if (this.#missing === 0) this.#done(this.#length);
  }
}

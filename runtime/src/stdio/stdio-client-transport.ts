import type { PassThrough, Readable } from "node:stream";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import { assertNumberOptions } from "../options/assert-options.js";
import type { Transport } from "../transport/transport.js";
import { ignoreError } from "./ignore-error.js";
import { createLineReader } from "./line-reader.js";
import { createLineWriter, type LineWriter } from "./line-writer.js";
import type { StdioOptions } from "./options.js";
import { spawnServer, type ServerCommand, type ServerProcess } from "./spawn-server.js";
import { stopServer, hasExited, PIPES_MS, type ShutdownTimeouts } from "./stop-server.js";

/** A server to start, with its limits and time-outs. */
export interface StdioServerParameters extends ServerCommand, StdioOptions {
  /** How long the server may take to exit. */
  readonly shutdown?: ShutdownTimeouts;
}

/**
 * The client's end of a server that it starts as a child process: one message per line on its standard input and output
 * (MCP, transports: stdio). The server's standard error is not interpreted.
 *
 * When the server exits, `onclose` gets an `SdkError` `CONNECTION_CLOSED` with `exitCode` and `signal` in its data. You may
 * then call `start` again to restart it.
 *
 * @example
 * ```ts
 * const transport = new StdioClientTransport({ command: "npx", args: ["-y", "some-server"], env: { TOKEN: "secret" } });
 * await client.connect(transport);
 * ```
 */
export class StdioClientTransport implements Transport {
  readonly network = "pipe";
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];

  readonly #server: StdioServerParameters;
  #running: RunningServer | undefined;
  #starting: Promise<void> | undefined;
  /** Resolves when the previous process has exited. */
  #exited: Promise<void> = Promise.resolve();
  #stderr: PassThrough | undefined;

  constructor(server: StdioServerParameters) {
    if (typeof (Object(server) as Partial<ServerCommand>).command !== "string")
      throw new SdkError("INVALID_CONFIGURATION", 'pass a command: { command: "node", args: ["server.js"] }');
    assertNumberOptions(server, server.shutdown);
    this.#server = server;
    if (server.stderr === "pipe" || server.stderr === "overlapped") this.#stderr = passThrough();
  }

  /** The server's standard error, with `stderr: "pipe"`; available before `start` and until `close`. */
  get stderr(): Readable | null {
    return this.#stderr ?? null;
  }

  /** The command as JSON: `[command, args, cwd]`. */
  get serverId(): string {
    const { command, args = [], cwd = "" } = this.#server;
    return JSON.stringify([command, args, cwd]);
  }

  /** The id of the server's process while the transport is open. */
  get pid(): number | null {
    return this.#running?.child.pid ?? null;
  }

  /**
   * Starts the server, once the previous process has exited.
   * @throws SdkError `NOT_CONNECTED` when the process cannot be started; `ALREADY_CONNECTED` when it is running;
   *   `INVALID_CONFIGURATION` when a package is missing
   */
  start(): Promise<void> {
    if (this.#starting !== undefined || this.#running !== undefined) {
      return Promise.reject(
        new SdkError("ALREADY_CONNECTED", "The server is already running; close the transport first"),
      );
    }
    this.#starting = this.#open().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  /** @throws SdkError `NOT_CONNECTED` when the transport is not open; `LIMIT_EXCEEDED` when too much is queued */
  send(message: JSONRPCMessage | readonly JSONRPCMessage[]): Promise<void> | undefined {
    if (this.#running === undefined) throw new SdkError("NOT_CONNECTED", "The server is not running");
    return this.#running.writer.send(serialize(message));
  }

  /**
   * Ends the server: closes its input, sends SIGTERM after a wait, and SIGKILL after another. Nothing more is received.
   * Resolves when the process has exited.
   */
  async close(): Promise<void> {
    if (this.#starting !== undefined) await this.#starting.catch(() => undefined);
    this.#shut();
    await this.#exited;
    if (this.#running === undefined) this.#stderr?.end();
  }

  async #open(): Promise<void> {
    await this.#exited;
    const child = await spawnServer(this.#server);
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const { maxQueuedBytes } = this.#server;
    const reader = createLineReader(this, this.#server);
    // The output is read even while the server does not read its input; otherwise both ends could wait for each other.
    const writer = createLineWriter(child.stdin, (error) => fail(error), { maxQueuedBytes });
    let timer: NodeJS.Timeout | undefined;
    let cause: Error | undefined;
    const end = (): void => {
      if (this.#running === link) this.#shut(describeEnd(this.#server, child, reader.end() !== undefined, cause));
    };
    // The rest of the output and the exit code may arrive in any order; a grandchild can hold the output open.
    const endSoon = (): void => {
      if (this.#running === link) timer ??= setTimeout(end, PIPES_MS);
    };
    // When a write fails because the server has exited, its exit code is the better error.
    const fail = (error: Error): void => {
      cause = error;
      if (error instanceof SdkError) this.#shut(error);
      else endSoon();
    };
    const link: RunningServer = {
      child,
      writer,
      stop: () => {
        reader.stop();
        clearTimeout(timer);
        return stopServer(child, closed, this.#server.shutdown);
      },
    };
    child.stdin.on("error", ignoreError);
    child.stdout.on("error", endSoon).on("end", endSoon);
    child.stdout.on("data", (chunk: Buffer) => reader.push(chunk));
    child.once("exit", endSoon).once("close", end);
    child.on("error", (error) => this.onerror?.(error));
    if (child.stderr !== null) this.#pipeStderr(child.stderr);
    this.#running = link;
  }

  #pipeStderr(stderr: Readable): void {
    if (this.#stderr === undefined || this.#stderr.writableEnded) this.#stderr = passThrough();
    stderr.on("error", ignoreError).pipe(this.#stderr, { end: false });
  }

  #shut(error?: Error): void {
    const link = this.#running;
    if (link === undefined) return;
    this.#running = undefined;
    if (error === undefined) void link.writer.finish();
    link.writer.stop();
    this.#exited = link.stop();
    this.onclose?.(error);
  }
}

/** A running server. */
interface RunningServer {
  readonly child: ServerProcess;
  readonly writer: LineWriter;
  /** Stops reading and ends the process; resolves when it has exited. */
  stop(): Promise<void>;
}

/** Servers load this module too, and would start a millisecond or two later with `node:stream` imported. */
function passThrough(): PassThrough {
  const { PassThrough } = process.getBuiltinModule("node:stream");
  return new PassThrough();
}

function describeEnd(
  server: ServerCommand,
  child: ServerProcess,
  truncated: boolean,
  cause: Error | undefined,
): SdkError {
  const { exitCode, signalCode: signal } = child;
  const how = signal === null ? `exited with code ${exitCode}` : `was ended by ${signal}`;
  const what = hasExited(child) ? how : "closed its input or output";
  const when = truncated ? " in the middle of a message" : "";
  const message = `The server "${server.command}" ${what}${when}`;
  return new SdkError("CONNECTION_CLOSED", message, { exitCode, signal }, { cause });
}

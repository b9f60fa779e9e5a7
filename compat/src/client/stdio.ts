import type { IOType } from "node:child_process";
import type { Stream } from "node:stream";
import {
  DEFAULT_INHERITED_ENV_VARS as inherited,
  getDefaultEnvironment as defaultEnvironment,
  StdioClientTransport as NativeTransport,
} from "@mcpwright/runtime/stdio";
import { toOfficialError } from "../shared/errors.js";
import type { JSONRPCMessage } from "../types/index.js";
import type { Transport } from "../shared/transport.js";
import { carry } from "./transport-port.js";

/** A server to start. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- as in the official SDK, whose programs assign it to other types
export type StdioServerParameters = {
  command: string;
  args?: string[];
  /** Variables in addition to those of `getDefaultEnvironment()`. */
  env?: Record<string, string>;
  /** Default: `inherit`. */
  stderr?: IOType | Stream | number;
  cwd?: string;
  /** The longest message in bytes. Default: 10 MiB. */
  maxBufferSize?: number;
};

/** The names of the variables that servers inherit. */
export const DEFAULT_INHERITED_ENV_VARS: string[] = [...inherited];

/** The variables that servers inherit. */
export function getDefaultEnvironment(): Record<string, string> {
  return { ...defaultEnvironment() };
}

/** Starts a server as a child process, and exchanges messages over its standard input and output. */
export class StdioClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #native: NativeTransport;

  constructor(server: StdioServerParameters) {
    const { maxBufferSize = 10 * 2 ** 20, ...command } = server;
    this.#native = new NativeTransport({ ...command, maxMessageBytes: maxBufferSize });
    carry(this, this.#native);
  }

  /** The standard error of the server, with `stderr: "pipe"`. */
  get stderr(): Stream | null {
    return this.#native.stderr;
  }

  get pid(): number | null {
    return this.#native.pid;
  }

  async start(): Promise<void> {
    try {
      await this.#native.start();
    } catch (error) {
      throw toStartError(error);
    }
  }

  async close(): Promise<void> {
    await this.#native.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#native.send(message as Parameters<NativeTransport["send"]>[0]);
    } catch (error) {
      throw toOfficialError(error);
    }
  }
}

/** Programs look for the code of the system, such as `ENOENT`. */
function toStartError(error: unknown): unknown {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return code === "NOT_CONNECTED" && cause instanceof Error ? cause : toOfficialError(error);
}

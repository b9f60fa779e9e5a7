import type { Transport } from "@mcpwright/runtime";
import type { MessageTrace } from "../../shared/sessions/message-trace.js";
import type { RelayListener } from "./relay-events.js";

/** How `dev` runs a server. */
export interface DevOptions {
  /** The TypeScript or JavaScript file that starts the server. */
  readonly entry: string;
  /** The arguments of the server. */
  readonly args?: readonly string[];
  /** The working directory. Default: `process.cwd()`. */
  readonly cwd?: string;
  /** Files and folders outside of the project, or without sources, whose changes restart the server. */
  readonly watch?: readonly string[];
  /** Whether to check types beside the server, with the `typescript` of the project. Default: `true`. */
  readonly types?: boolean;
  /** Serves HTTP on the loopback interface at this port, 0 for any free one. Default: one host over standard input and output. */
  readonly http?: { readonly port: number };
  /**
   * Serves a page on the loopback interface at this port, 0 for any free one: it shows the messages, and calls the server over a connection of
   * its own. Default: no page.
   */
  readonly ui?: { readonly port: number };
  /** The port of the debugger, 0 for any free one. Default: no debugger. */
  readonly inspectPort?: number;
  /** Milliseconds in which the server must answer the handshake. Default: `30_000`; no limit with a debugger. */
  readonly startTimeoutMs?: number;
  /** Replaces standard input and output. */
  readonly transport?: Transport;
  /** Ends the servers. */
  readonly signal?: AbortSignal;
  /** Called with each message or batch that a host sends or receives, also those that `dev` writes. */
  readonly trace?: MessageTrace;
  /** Called with each event of the relay. */
  readonly onEvent?: RelayListener;
  /** Called with each line for the user: those of the server's standard error, and of this command. */
  readonly print?: (line: string) => void;
  /** Whether these lines have colours. Default: `false`. */
  readonly hasColours?: boolean;
  /** Called with the URL when HTTP is served. */
  readonly onListening?: (url: URL) => void;
}

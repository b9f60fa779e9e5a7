/**
 * What a `Relay` reports to its listeners, in the order in which it happens. Times are milliseconds since the relay was created, with
 * fractions.
 */
export type RelayEvent =
  | HostConnected
  | HostDisconnected
  | MessagePassed
  | ServerStarted
  | ServerReady
  | ServerEnded
  | ServerFailed
  | StderrLine
  | StdoutNoise
  | RelayNote;

/** Called with each event. It must not throw. */
export type RelayListener = (event: RelayEvent) => void;

/** `to-server`: from the host to the server. `to-host`: the other way. */
export type RelayDirection = "to-server" | "to-host";

interface RelayEventBase {
  /** Milliseconds since the relay was created. */
  readonly at: number;
  /** The id of the host connection: that of `HostConnection.id`. */
  readonly connection: string;
}

/** A host has connected. A server process of its own starts next. */
export interface HostConnected extends RelayEventBase {
  readonly kind: "host-connected";
  /** What the host is, for people, such as `stdio` or `HTTP session 1`. */
  readonly name: string;
}

/** The connection of a host has ended. Its server process has ended before. */
export interface HostDisconnected extends RelayEventBase {
  readonly kind: "host-disconnected";
}

/** A message has passed the relay, or was written by it. */
export interface MessagePassed extends RelayEventBase {
  readonly kind: "message";
  readonly direction: RelayDirection;
  /**
   * The wire unit: a message, or a batch of messages as an array. It may be invalid: nothing is checked. `to-server`, it is what the host
   * sent; `to-host`, it is what the host receives. Do not change it.
   */
  readonly message: unknown;
  /**
   * The writer. `relay`: the handshake that is repeated after a restart and the responses to it, errors for requests that a restart has
   * ended, and notifications of changes.
   */
  readonly origin: "host" | "server" | "relay";
  /** Present if the host does not see the message: the relay repeats it after a restart, or it is the response to such a message. */
  readonly isHidden?: true;
  /** For a response: milliseconds since its request passed the relay. For a batch, those of the slowest response. */
  readonly durationMs?: number;
}

/** A server process has started. Messages wait until `server-ready` or `server-failed`. */
export interface ServerStarted extends RelayEventBase {
  readonly kind: "server-started";
  readonly pid: number;
  /** 1 for the first process of the connection, 2 for the next. */
  readonly start: number;
  /** Why it was started again, such as `src/main.ts changed`. Absent for the first start. */
  readonly reason?: string;
}

/** The server gets the messages of the host: at its first start immediately, after a restart when its session is open again. */
export interface ServerReady extends RelayEventBase {
  readonly kind: "server-ready";
  readonly pid: number;
  readonly start: number;
  /** Milliseconds since the restart was requested, or since `host-connected`. */
  readonly durationMs: number;
}

/** A server process has exited, by itself or because the relay ended it. */
export interface ServerEnded extends RelayEventBase {
  readonly kind: "server-ended";
  readonly pid: number;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether the relay ended it: for a restart, or because the host disconnected. */
  readonly isExpected: boolean;
}

/** There is no server now: requests get an error with this reason until a start succeeds. */
export interface ServerFailed extends RelayEventBase {
  readonly kind: "server-failed";
  /** What happened, in a sentence without a full stop. */
  readonly summary: string;
  /** The same with the last lines of the standard error of the server. */
  readonly reason: string;
  /** Whether the next request starts the server again; otherwise the next change of a file does. */
  readonly startsAtNextRequest: boolean;
}

/** A line that the server wrote to its standard error, without the line break. It may contain control characters. */
export interface StderrLine extends RelayEventBase {
  readonly kind: "stderr";
  readonly pid: number;
  readonly line: string;
}

/** A line that the server wrote to its standard output and that is not a message. The host does not get it. */
export interface StdoutNoise extends RelayEventBase {
  readonly kind: "stdout-noise";
  readonly pid: number;
  readonly line: string;
}

/** Something that the user should know, in a sentence. */
export interface RelayNote extends RelayEventBase {
  readonly kind: "note";
  readonly text: string;
}

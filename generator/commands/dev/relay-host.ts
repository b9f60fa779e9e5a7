/** One host: the program that the developer connects to the server, such as an editor, or a client of the page. */
export interface RelayHost {
  /** What the host is, for people, such as `stdio` or `HTTP session 1`. */
  readonly name: string;
  /** Called with each message or batch for the host, as a JSON value. It must not throw, and must not change the value. */
  readonly send: (unit: unknown) => void;
}

/** The end of a connection that a host uses. */
export interface HostConnection {
  /** Identifies the connection in events. */
  readonly id: string;
  /** Takes a message or batch of the host, as a JSON value. It is passed on as it is. */
  receive(unit: unknown): void;
  /** Called when the host sends no more: the server may answer what it has received, for a short time. */
  finish(): Promise<void>;
  /** Ends the connection and its server process. Resolves when no process is left. */
  close(): Promise<void>;
}

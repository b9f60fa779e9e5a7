/** The configuration of a server. Arguments: its kind and the form of its replies. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Kind, ReplyForm } from "../forms.js";

export const kind = process.argv[2] as Kind;
export const reply = process.argv[3] as ReplyForm;
export const host = "127.0.0.1";

/** Reports the port to the parent process. */
export function tellPort(port: number): void {
  process.send?.(port);
}

export function listen(listener: RequestListener): void {
  // On a busy machine, a server waits longer for its next turn than connections stay open by default.
  const server = createServer({ keepAliveTimeout: 120_000 }, listener).listen(0, host, () =>
    tellPort((server.address() as AddressInfo).port),
  );
}

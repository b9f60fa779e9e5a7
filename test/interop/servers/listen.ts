import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request; Node always sets both members. */
export type Incoming = IncomingMessage & { method: string; url: string };

/** Serves on a free port, and prints the URL on standard output. */
export function listen(serve: (request: Incoming, response: ServerResponse) => unknown): void {
  const server = createServer((request, response) => void serve(request as Incoming, response));
  server.listen(0, "127.0.0.1", () => tell((server.address() as AddressInfo).port));
}

export function tell(port: number): void {
  console.log(`http://127.0.0.1:${port}`);
}

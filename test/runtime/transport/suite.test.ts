import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { InMemoryTransport } from "../../../runtime/src/transport/in-memory.js";
import type { Transport } from "../../../runtime/src/transport/transport.js";
import { StdioClientTransport } from "../../../runtime/src/stdio/stdio-client-transport.js";
import { StdioServerTransport } from "../../../runtime/src/stdio/stdio-server-transport.js";
import { transportBehaviours, type TransportHarness } from "../../../runtime/src/testing/transport-suite.js";
import { bundledServerTransport, fixture } from "../stdio/bundled.js";

const module = bundledServerTransport();

const harnesses: readonly TransportHarness[] = [
  {
    name: "in memory",
    open() {
      const [a, b] = InMemoryTransport.createLinkedPair();
      return Promise.resolve({ a, b });
    },
  },
  {
    name: "two streams",
    open() {
      const [there, back] = [new PassThrough(), new PassThrough()];
      const breakB = (): Promise<void> => {
        back.destroy(new Error("broken"));
        return Promise.resolve();
      };
      return Promise.resolve({
        a: new StdioServerTransport(back, there),
        b: new StdioServerTransport(there, back),
        breakB,
      });
    },
  },
  { name: "a child process, seen by the client", open: () => openChild() },
  {
    name: "a child process, seen by the server",
    async open() {
      const { a, b } = await openChild();
      return { a: b, b: a };
    },
  },
];

describe.each(harnesses)("$name", (harness) => {
  // A server can only be started with its process.
  const serverFirst = harness.name.endsWith("seen by the server");
  const behaviours = transportBehaviours.filter(
    ({ name }) => !serverFirst || name !== "delivers no message before it is started",
  );
  test.each(behaviours)("$name", ({ run }) => run(harness));
});

test("the suite explains failures", async () => {
  const carrier = transportBehaviours[0];
  const deaf: TransportHarness = {
    name: "deaf",
    open() {
      const [a, b] = InMemoryTransport.createLinkedPair();
      a.send = () => {
        throw new Error("cannot speak");
      };
      return Promise.resolve({ a, b });
    },
  };
  await expect(carrier?.run(deaf)).rejects.toThrow("deaf: carries messages both ways: cannot speak");
});

/** The ends of a server's standard streams; the server's end is in its process and controlled through a socket. */
async function openChild(): Promise<{ a: Transport; b: Transport; breakB(): Promise<void> }> {
  const control = createServer().listen(0, "127.0.0.1");
  await once(control, "listening");
  const { port } = control.address() as AddressInfo;
  const connected = once(control, "connection") as Promise<[Socket]>;
  const a = new StdioClientTransport({ command: process.execPath, args: [fixture("bridge.mjs"), module, `${port}`] });
  const b = remote(connected.then(([socket]) => (control.close(), socket)));
  const breakB = async (): Promise<void> => {
    if (a.pid !== null) process.kill(a.pid, "SIGKILL");
    return Promise.resolve();
  };
  return { a, b, breakB };
}

type Event = { readonly message: unknown } | { readonly error: string } | { readonly closed: true };

function remote(connection: Promise<Socket>): Transport {
  let socket: Socket | undefined;
  let state: "new" | "open" | "closed" = "new";
  // These two characters also end a line for readline, which reads the commands.
  const escaped = (text: string): string =>
    text.replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
  const tell = (command: object): void => void socket?.write(`${escaped(JSON.stringify(command))}\n`);

  const transport: Transport = {
    async start() {
      socket = await connection;
      const lines = createInterface(socket).on("line", (line) => take(JSON.parse(line) as Event));
      for (const emitter of [socket, lines]) emitter.on("error", () => undefined);
      tell({ start: true });
      state = "open";
    },
    send(message) {
      if (state !== "open") throw new Error("closed");
      tell({ send: message });
    },
    async close() {
      if (socket === undefined) return;
      const closed = socket.closed ? undefined : once(socket, "close");
      tell({ close: true });
      end();
      await closed;
    },
  };
  return transport;

  function end(): void {
    if (state === "open") transport.onclose?.();
    state = "closed";
  }

  function take(event: Event): void {
    if ("closed" in event) end();
    else if (state !== "open") return;
    else if ("error" in event) transport.onerror?.(new Error(event.error));
    else {
      try {
        transport.onmessage?.(event.message);
      } catch (error) {
        transport.onerror?.(error as Error);
      }
    }
  }
}

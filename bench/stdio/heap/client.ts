/** A client that makes calls, lets them time out or cancels them, and then reports its heap size. */
import { Client } from "@mcpwright/runtime/client";
import { SdkError } from "@mcpwright/runtime";
import { StdioClientTransport } from "@mcpwright/runtime/stdio";
import { heldBytes } from "../../shared/held-bytes.js";

const [, , server = "", kind = "", count = ""] = process.argv;
const inFlight = 500;
const args = { city: "Kyoto", nights: 3, price: 120, breakfast: true, guests: ["Ada", "Grace"] };

const client = new Client({ name: "bench-client", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }), { era: "handshake" });

const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
  answered: book,
  "timed out": () => client.callTool({ name: "hang" }, { timeoutMs: 5 }),
  cancelled: () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort(new SdkError("REQUEST_CANCELLED", "no longer needed")));
    return client.callTool({ name: "hang" }, { signal: controller.signal });
  },
};

await run(Number(count) / 10);
const before = await heldBytes();
await run(Number(count));
const after = await heldBytes();
process.send?.({ before, after });

async function run(calls: number): Promise<void> {
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const ended = await (kinds[kind] as () => Promise<unknown>)().then(
        () => "answered",
        (error: unknown) => (error instanceof SdkError ? error.code : String(error)),
      );
      if (ended !== expected()) throw new Error(`a call that should have been ${kind} was ${ended}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  // The server replies to this call last: no other call is pending afterwards.
  await book();
}

function book(): Promise<unknown> {
  return client.callTool({ name: "book", arguments: args });
}

function expected(): string {
  return kind === "answered" ? kind : kind === "cancelled" ? "REQUEST_CANCELLED" : "REQUEST_TIMEOUT";
}

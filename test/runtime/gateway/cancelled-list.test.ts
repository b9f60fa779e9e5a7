/** Clients that do not wait for a list. */
import { expect, onTestFinished, test } from "vitest";
import { createGateway } from "../../../runtime/src/gateway.js";
import { InMemoryTransport } from "../../../runtime/src/index.js";
import type { Transport } from "../../../runtime/src/transport/transport.js";
import { clientOf, revisions, settled } from "../api/pair.js";
import { everything } from "./everything.js";

test.each(revisions)(
  "a client of %s that cancels its request does not make a server look unavailable",
  async (revision) => {
    const problems: string[] = [];
    const { server } = everything("2026-07-28");
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => void (open = resolve));
    const transport = async (): Promise<Transport> => {
      await opened;
      const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
      await server.connect(serverEnd);
      return clientEnd;
    };
    const gateway = createGateway({ servers: { up: { transport } }, onerror: ({ message }) => problems.push(message) });
    const { client } = clientOf(revision);
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    await gateway.connect(serverEnd);
    await client.connect(clientEnd);
    onTestFinished(async () => {
      await client.close();
      await gateway.close(0);
    });
    const controller = new AbortController();
    const listed = client.listTools({}, { signal: controller.signal });
    await settled();
    controller.abort(new Error("enough"));
    await expect(listed).rejects.toThrow("enough");
    open();
    await settled();
    expect(problems).toEqual([]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  },
);

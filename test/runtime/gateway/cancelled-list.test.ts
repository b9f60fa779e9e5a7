/** Clients that do not wait for a list. */
import { expect, test } from "vitest";
import { createGateway } from "../../../runtime/src/gateway.js";
import type { Transport } from "../../../runtime/src/transport/transport.js";
import { clientOf, revisions, settled } from "../api/pair.js";
import { everything } from "./everything.js";
import { endOf, join } from "./in-memory.js";

test.each(revisions)(
  "a client of %s that cancels its request does not make a server look unavailable",
  async (revision) => {
    const problems: string[] = [];
    const { server } = everything("2026-07-28");
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => void (open = resolve));
    const transport = async (): Promise<Transport> => {
      await opened;
      return endOf(server);
    };
    const gateway = createGateway({ servers: { up: { transport } }, onerror: ({ message }) => problems.push(message) });
    const { client } = clientOf(revision);
    await join(gateway, client);
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

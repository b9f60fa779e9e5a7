import { describe, expect, test } from "vitest";
import { transportSetups } from "./transports.js";
import { recordedClient } from "./client.js";
import { handshakeEra, R5 } from "./messages.js";

const main = "file:///project/src/main.rs";

describe.each(transportSetups)("$name", (carrier) => {
  test.each([...handshakeEra, R5])(
    "%s: our client receives the changes that it subscribed to, until it unsubscribes",
    async (revision) => {
      const { client, errors } = recordedClient();
      const heard: string[] = [];
      const stop = client.onChanged("tools", () => void heard.push("tools"));
      await client.connect(await carrier.server("library", { revisions: [revision] }));
      expect(await client.subscribeResource({ uri: main }, (uri) => void heard.push(uri))).toBe(true);

      await client.callTool({ name: "edit", arguments: { text: "" } });
      await client.callTool({ name: "change-lists" });
      await expect.poll(() => heard).toEqual([main, "tools"]);
      stop();
      await client.unsubscribeResource({ uri: main });
      await client.callTool({ name: "edit", arguments: { text: "" } });
      await client.callTool({ name: "change-lists" });
      await client.listTools();
      expect(heard).toEqual([main, "tools"]);
      expect(errors).toEqual([]);
    },
  );

  test("reports and ignores changes that arrive before the stream is acknowledged", async () => {
    const { client, errors } = recordedClient();
    let changes = 0;
    client.onChanged("tools", () => changes++);
    await client.connect(await carrier.fake("changes before it acknowledges"));
    await expect.poll(() => changes).toBe(1);
    expect(errors.map(({ message }) => message)).toEqual([
      "received notifications/tools/list_changed out of order",
      "received notifications/subscriptions/acknowledged out of order",
    ]);
  });

  test("reopens a stream that the server ends, and notifies listeners of changes that may have been missed", async () => {
    const { client, recorder, errors } = recordedClient();
    let changes = 0;
    client.onChanged("tools", () => changes++);
    await client.connect(await carrier.fake("ends its stream"));
    await expect.poll(() => errors.length, { timeout: 5_000 }).toBe(1);
    expect(recorder.find("out", "subscriptions/listen")).toHaveLength(2);
    await expect.poll(() => changes).toBe(1);
    expect(errors[0]?.message).toBe("received notifications/tools/list_changed for an unknown subscription");
  });
});

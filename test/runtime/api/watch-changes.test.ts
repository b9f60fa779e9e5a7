import { describe, expect, test } from "vitest";
import { type Change, watchChanges } from "../../../runtime/src/client.js";
import { McpServer } from "../../../runtime/src/server.js";
import { connect, eras, info, settled, text } from "./pair.js";

function serve() {
  const server = new McpServer(info);
  server.registerTool("t", {}, () => text(""));
  server.registerResource("r", "test:r", {}, ({ href }) => ({ contents: [{ uri: href, text: "" }] }));
  return server;
}

/** The next `count` changes. */
async function take(changes: AsyncIterable<Change>, count: number): Promise<Change[]> {
  const taken: Change[] = [];
  for await (const change of changes) if (taken.push(change) === count) break;
  return taken;
}

describe.each(eras)("%s", (revision) => {
  test("changes arrive as a loop, equal ones that wait once", async () => {
    const server = serve();
    const { client } = await connect(server, revision);
    const watch = watchChanges(client, { lists: ["tools"], resources: ["test:r"] });
    expect(await watch.granted).toEqual(["test:r"]);
    await settled();
    for (let round = 0; round < 3; round++) {
      server.sendToolListChanged();
      server.sendResourceUpdated({ uri: "test:r" });
      server.sendResourceListChanged();
      await settled();
    }
    expect(await take(watch, 2)).toEqual([{ kind: "tools" }, { kind: "resources", uri: "test:r" }]);
  });

  test("the end of the loop ends the subscription, but not that of others", async () => {
    const server = serve();
    const { client } = await connect(server, revision);
    const seen: string[] = [];
    const other = (uri: string): void => void seen.push(uri);
    await client.subscribeResource({ uri: "test:r" }, other);
    const watch = watchChanges(client, { resources: ["test:r"] });
    await watch.granted;
    server.sendResourceUpdated({ uri: "test:r" });
    await take(watch, 1);
    server.sendResourceUpdated({ uri: "test:r" });
    await settled();
    expect(seen).toEqual(["test:r", "test:r"]);
    expect(await take(watch, 1)).toEqual([]);
    await client.unsubscribeResource({ uri: "test:r" }, other);
    server.sendResourceUpdated({ uri: "test:r" });
    await settled();
    expect(seen).toHaveLength(2);
  });

  test("close ends a loop that waits", async () => {
    const { client } = await connect(serve(), revision);
    const watch = watchChanges(client, { lists: ["tools"] });
    const taken = take(watch, 1);
    await watch.close();
    expect(await taken).toEqual([]);
  });

  test("a subscription without a listener reaches the handler of the notification", async () => {
    const server = serve();
    const { client } = await connect(server, revision);
    const seen: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ uri }) => seen.push(uri));
    expect(await client.subscribeResource({ uri: "test:r" })).toBe(true);
    server.sendResourceUpdated({ uri: "test:r" });
    await settled();
    expect(seen).toEqual(["test:r"]);
    await client.unsubscribeResource({ uri: "test:r" });
    server.sendResourceUpdated({ uri: "test:r" });
    await settled();
    expect(seen).toHaveLength(1);
  });
});

test("an URI that the server does not grant is not among those granted", async () => {
  const { client } = await connect(new McpServer(info, { capabilities: { resources: {} } }), "2026-07-28");
  expect(await watchChanges(client, { resources: ["test:r"] }).granted).toEqual([]);
});

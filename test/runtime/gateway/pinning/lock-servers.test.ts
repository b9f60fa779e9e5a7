/** Locks that are made by connecting to servers. */
import { expect, test } from "vitest";
import { formatLock, lockServers, parseLock, pinnedBy } from "../../../../runtime/src/gateway.js";
import { eras, text } from "../../api/pair.js";
import { rawServer } from "../raw-server.js";
import { connectTo } from "../in-memory.js";
import { lockOfMail, mailServer } from "./mail-server.js";

test.each(eras)("a gateway with the lock of its servers of %s uses them", async (revision) => {
  const mail = mailServer(revision);
  const servers = { notes: mailServer(revision), mail };
  const { lock, failed, surfaces } = await lockServers(servers);
  expect([...failed]).toEqual([]);
  expect(lock.servers.map(({ name }) => name)).toEqual(["mail", "notes"]);
  expect(lock.servers[0]).toEqual((await lockOfMail(mail)).servers[0]);
  expect(surfaces.get("mail")).toMatchObject({ instructions: "Use mail well.", tools: [{ name: "send" }, {}] });
  const pinning = pinnedBy(await parseLock(formatLock(lock)));
  const { client, problems } = await connectTo({ servers, pinning });
  expect(await client.callTool({ name: "notes_send" })).toMatchObject(text("send was called"));
  expect((await client.listTools()).tools).toHaveLength(4);
  expect(problems).toEqual([]);
});

test("a server that cannot be reached keeps its entry, and one without an entry has none", async () => {
  const mail = mailServer("2026-07-28");
  const previous = await lockOfMail(mail);
  const down = { transport: () => Promise.reject(new Error("no such command")) };
  const { lock, failed } = await lockServers({ mail: down, other: down }, { previous });
  expect(lock).toEqual(previous);
  expect([...failed].map(([name, { message }]) => [name, message])).toEqual([
    ["mail", "no such command"],
    ["other", "no such command"],
  ]);
});

test("servers that are no longer configured are removed", async () => {
  const previous = await lockOfMail(mailServer("2026-07-28"));
  expect((await lockServers({}, { previous })).lock.servers).toEqual([]);
});

test("a server that lists one name with two definitions is not locked", async () => {
  const twice = rawServer(({ id, method }, peer) => {
    const tools = ["a", "b"].map((description) => ({ name: "x", description, inputSchema: { type: "object" } }));
    if (method === "tools/list") peer.respond({ id: id ?? 0 }, { tools });
  });
  const { lock, failed } = await lockServers({ twice });
  expect(lock.servers).toEqual([]);
  expect(failed.get("twice")?.message).toContain("listed twice");
});

test("tools that a server shows only to clients that can be asked are locked", async () => {
  const asking = rawServer(({ id, method, params }, peer) => {
    const { capabilities } = (params ?? {}) as { capabilities?: object };
    if (capabilities) throw new Error("initialize is answered before");
    if (method === "tools/list") peer.respond({ id: id ?? 0 }, { tools: [] });
  });
  let declared: unknown;
  const seen = {
    transport: async () => {
      const transport = await asking.transport?.();
      if (!transport) throw new Error("no transport");
      const send = transport.send.bind(transport);
      return Object.assign(transport, {
        send: (...[message, ...rest]: Parameters<typeof send>) => {
          const { method, params } = message as { method?: string; params?: { capabilities?: unknown } };
          if (method === "initialize") declared = params?.capabilities;
          return send(message, ...rest);
        },
      });
    },
  };
  await lockServers({ seen });
  expect(declared).toMatchObject({ elicitation: {}, sampling: {}, roots: {} });
});

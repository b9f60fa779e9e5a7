/** Extensions that only one side declares, and requests that need a setting of it. */
import { withSettings } from "@mcpwright/protocol/layer-extension";
import { EXTENSION_ID, skillsExtension } from "@mcpwright/protocol/extensions/skills";
import { describe, expect, test } from "vitest";
import {
  clientSide,
  connectClient,
  modern,
  R4,
  R5,
  serve,
  serveEither,
  serverSide,
} from "../connection/connection-ends.js";
import { result } from "../connection/wire.js";

const listing = { skills: [] };
const directory = { resources: [] };
const methods = ["skills/list", "skills/get", "resources/directory/read"];
const handlers = {
  "skills/list": () => listing,
  "skills/get": () => ({}),
  "resources/directory/read": () => directory,
};
const withDirectories = withSettings(skillsExtension, { directoryRead: true });

describe.each([R4, R5])("over %s", (revision) => {
  const params = (own: object): object => (revision === R5 ? modern(own) : own);

  test("a client that has not declared it may use it", async () => {
    const { wire } = await serveEither(revision, handlers, { extensions: [withDirectories] });
    expect(await wire.ask(1, "skills/list", params({}))).toMatchObject({ result: listing });
    expect(await wire.ask(2, "resources/directory/read", params({ uri: "skill://a" }))).toMatchObject({
      result: directory,
    });
  });

  test("the server declares it, the client does not", async () => {
    const { client, wire } = await connectClient(
      revision,
      { extensions: [skillsExtension] },
      { extensions: { [EXTENSION_ID]: {} } },
    );
    const asked = client.request("skills/list" as never, {} as never);
    const sent = await wire.next();
    expect(JSON.stringify(sent)).not.toContain(EXTENSION_ID);
    wire.receive(result(sent.id ?? "", { ...listing, resultType: "complete", ttlMs: 0, cacheScope: "private" }));
    expect(await asked).toMatchObject(listing);
    await client.close();
  });

  test("results have cache hints where the revision has them", async () => {
    const { wire } = await serveEither(revision, handlers, { extensions: [skillsExtension] });
    const { result } = await wire.ask(1, "skills/list", params({}));
    const hints = revision === R5 ? { ttlMs: 0, cacheScope: "private" } : {};
    const { ttlMs, cacheScope } = result as { ttlMs?: number; cacheScope?: string };
    expect({ ...(ttlMs !== undefined && { ttlMs }), ...(cacheScope !== undefined && { cacheScope }) }).toEqual(hints);
  });

  test("a client sends nothing to a server that has not declared it, or not the setting", async () => {
    for (const [declared, problem] of [
      [{}, `the server does not offer extensions.${EXTENSION_ID}`],
      [{ extensions: { [EXTENSION_ID]: {} } }, `the server does not offer extensions.${EXTENSION_ID}.directoryRead`],
      [
        { extensions: { [EXTENSION_ID]: { directoryRead: "yes" } } },
        `the server does not offer extensions.${EXTENSION_ID}.directoryRead`,
      ],
    ] as const) {
      const { client, wire } = await connectClient(revision, { extensions: [skillsExtension] }, declared);
      const before = wire.sent.length;
      await expect(
        client.request("resources/directory/read" as never, { uri: "skill://a" } as never),
      ).rejects.toMatchObject({
        code: "CAPABILITY_NOT_SUPPORTED",
        message: expect.stringContaining(problem) as string,
      });
      expect(wire.sent.length).toBe(before);
      await client.close();
    }
  });

  test("a server without the setting does not have the method", async () => {
    const [listed, got] = Object.entries(handlers);
    const { wire } = await serveEither(revision, Object.fromEntries([listed, got].filter((one) => one !== undefined)), {
      extensions: [skillsExtension],
    });
    expect(await wire.ask(1, "resources/directory/read", params({ uri: "skill://a" }))).toMatchObject({
      error: { code: -32601 },
    });
  });
});

test.each([R4, R5])("layered over %s, only the server declares it", (revision) => {
  const toError = (problem: string): Error => new Error(problem);
  const [client] = skillsExtension.layerOver([clientSide(revision)], toError);
  const [server] = skillsExtension.layerOver([serverSide(revision)], toError);
  expect([client?.withExtensions?.({}), server?.withExtensions?.({})]).toEqual([
    {},
    { extensions: { [EXTENSION_ID]: {} } },
  ]);
});

test("the capabilities of the server have the settings", async () => {
  const { wire } = await serve({ extensions: [withDirectories] }, handlers);
  expect(await wire.ask(1, "server/discover", modern())).toMatchObject({
    result: { capabilities: { extensions: { [EXTENSION_ID]: { directoryRead: true } } } },
  });
});

test("settings of another type are refused", async () => {
  const wrong = withSettings(skillsExtension, { directoryRead: 1 });
  await expect(serve({ extensions: [wrong] })).rejects.toThrow(
    `the settings of the extension ${EXTENSION_ID} do not match its schema`,
  );
});

test("all three methods are in the names", async () => {
  const names = Object.values((await import("@mcpwright/protocol/names")) as Record<string, string>);
  expect(methods.filter((method) => !names.includes(method))).toEqual([]);
});

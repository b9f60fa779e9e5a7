/** Skills on servers of both eras. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { McpServer } from "../../../../runtime/src/server.js";
import { skills, type SkillCatalog, type SkillSource } from "../../../../runtime/src/skills.js";
import { initialize, modern, R4, R5, serverInfo } from "../../connection/connection-ends.js";
import { notification, request, Wire, type Message } from "../../connection/wire.js";
import { load, manifest, someFiles } from "./skill-files.js";

const git = "skill://git-workflow";
const hint = { ttlMs: 1_000, cacheScope: "public" } as const;

async function serveSkills(revision: string, source: SkillSource, options?: Parameters<typeof skills>[1]) {
  const errors: Error[] = [];
  const server = new McpServer(serverInfo, {
    extensions: [skills(source, options)],
    onerror: (error) => errors.push(error),
  });
  const wire = new Wire();
  await server.connect(wire);
  const opened = revision === R5 ? await wire.ask(0, "server/discover", modern()) : await initialize(wire, revision);
  let id = 0;
  const ask = (method: string, params: object = {}): Promise<Message> =>
    wire.ask(++id, method, revision === R5 ? modern(params) : params);
  return { server, wire, errors, ask, opened };
}

describe.each([R4, R5])("a server with skills in %s", (revision) => {
  const withHints = (hints: object): object => (revision === R5 ? hints : {});

  test("declares the extension and its resources", async () => {
    const { opened } = await serveSkills(revision, await load());
    expect(opened.result?.["capabilities"]).toEqual({
      extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
      resources: { listChanged: true, subscribe: true },
    });
  });

  test("lists and returns skills", async () => {
    const catalog = await load();
    const { ask } = await serveSkills(revision, catalog);
    const { result } = await ask("skills/list");
    expect(result).toEqual({
      skills: catalog.skills,
      ...withHints({ resultType: "complete", ttlMs: 0, cacheScope: "private", _meta: expect.anything() as object }),
    });
    expect((await ask("skills/get", { uri: `${git}/SKILL.md` })).result).toMatchObject({
      skill: await catalog.get(`${git}/SKILL.md`),
    });
  });

  test("returns files as resources, text and bytes", async () => {
    const { ask } = await serveSkills(revision, await load());
    expect((await ask("resources/read", { uri: `${git}/SKILL.md` })).result).toMatchObject({
      contents: [{ uri: `${git}/SKILL.md`, mimeType: "text/markdown", text: someFiles["git-workflow/SKILL.md"] }],
    });
    expect((await ask("resources/read", { uri: `${git}/logo.png` })).result).toMatchObject({
      contents: [
        {
          uri: `${git}/logo.png`,
          mimeType: "image/png",
          blob: Buffer.from(someFiles["git-workflow/logo.png"] as Uint8Array).toString("base64"),
        },
      ],
    });
    const { result } = await ask("resources/list");
    expect(result?.["resources"]).toContainEqual(
      expect.objectContaining({ uri: `${git}/SKILL.md`, name: "git-workflow" }),
    );
  });

  test("lists all files page by page", async () => {
    const { ask } = await serveSkills(revision, await load(undefined, { pageSize: 4 }));
    const uris: string[] = [];
    let cursor: unknown;
    do {
      const { result } = await ask("resources/list", cursor === undefined ? {} : { cursor });
      uris.push(...(result?.["resources"] as { uri: string }[]).map(({ uri }) => uri));
      cursor = result?.["nextCursor"];
    } while (cursor !== undefined);
    expect(uris.length).toBe(6);
    expect(new Set(uris).size).toBe(6);
  });

  test("reads directories", async () => {
    const { ask } = await serveSkills(revision, await load());
    expect((await ask("resources/directory/read", { uri: git })).result?.["resources"]).toContainEqual({
      uri: `${git}/references`,
      name: "references",
      mimeType: "inode/directory",
    });
  });

  test.each<[method: string, params: object, message: string]>([
    ["skills/get", { uri: `${git}/references/FORMS.md` }, "Unknown skill"],
    ["skills/get", { uri: git }, "Unknown skill"],
    ["skills/get", {}, "Invalid params"],
    ["skills/list", { cursor: "x" }, "Invalid cursor"],
    ["resources/directory/read", { uri: `${git}/SKILL.md` }, "Not a directory"],
    ["resources/directory/read", { uri: git, cursor: "x" }, "Invalid cursor"],
  ])("answers %s with %j with -32602", async (method, params, message) => {
    const { ask } = await serveSkills(revision, await load());
    expect((await ask(method, params)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(message) as string,
    });
  });

  test("does not find other files", async () => {
    const { ask } = await serveSkills(revision, await load());
    for (const uri of [`${git}/nothing`, `${git}/%2e%2e/acme/README.md`, "skill://acme/README.md"])
      expect([uri, (await ask("resources/read", { uri })).error?.code]).toEqual([
        uri,
        revision === R5 ? -32602 : -32002,
      ]);
  });

  test("sends cache hints where the revision has them", async () => {
    const { ask } = await serveSkills(revision, await load(), { cacheHint: hint });
    for (const [method, params] of [
      ["skills/list", {}],
      ["skills/get", { uri: `${git}/SKILL.md` }],
      ["resources/directory/read", { uri: git }],
      ["resources/read", { uri: `${git}/SKILL.md` }],
    ] as const) {
      const { ttlMs, cacheScope } = (await ask(method, params)).result ?? {};
      expect([method, ttlMs, cacheScope]).toEqual(
        revision === R5 ? [method, 1_000, "public"] : [method, undefined, undefined],
      );
    }
  });

  test("has no directories if its source has none", async () => {
    const catalog = await load();
    const source: SkillSource = {
      list: () => catalog.list(),
      get: (uri) => catalog.get(uri),
      read: (uri) => catalog.read(uri),
    };
    const { ask, opened } = await serveSkills(revision, source);
    expect(opened.result?.["capabilities"]).toMatchObject({ extensions: { "io.modelcontextprotocol/skills": {} } });
    expect((await ask("resources/directory/read", { uri: git })).error?.code).toBe(-32601);
    expect((await ask("resources/list")).result).toMatchObject({ resources: [] });
  });
});

async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
}

async function changing() {
  const files = { ...someFiles } as Record<string, string | Uint8Array>;
  return { files, catalog: await load(files) };
}

test("a session is notified of changed lists, and of changed files that it has subscribed to", async () => {
  const { files, catalog } = await changing();
  const { ask, wire } = await serveSkills(R4, catalog);
  const uri = `${git}/references/FORMS.md`;
  await ask("resources/subscribe", { uri });
  files["git-workflow/references/FORMS.md"] = "#";
  await catalog.reload();
  expect((await wire.rest()).map(({ method, params }) => [method, params?.["uri"]])).toEqual([
    ["notifications/resources/list_changed", undefined],
    ["notifications/resources/updated", uri],
  ]);
});

test("a listen stream gets the same notifications", async () => {
  const { files, catalog } = await changing();
  const { wire } = await serveSkills(R5, catalog);
  const uri = `${git}/SKILL.md`;
  wire.receive(
    request(
      "listen",
      "subscriptions/listen",
      modern({ notifications: { resourcesListChanged: true, resourceSubscriptions: [uri] } }),
    ),
  );
  await wire.next();
  files["git-workflow/SKILL.md"] = manifest("git-workflow");
  await catalog.reload();
  expect((await wire.rest()).map(({ method }) => method)).toEqual([
    "notifications/resources/list_changed",
    "notifications/resources/updated",
  ]);
  wire.receive(notification("notifications/cancelled", { requestId: "listen" }));
});

test("errors of later loads go to onerror of the server, until it is closed", async () => {
  const { files, catalog } = await changing();
  const { server, errors } = await serveSkills(R5, catalog);
  files["git-workflow/SKILL.md"] = "broken";
  await catalog.reload();
  expect(errors).toMatchObject([{ name: "SkillCatalogError" }]);
  await server.close();
  await catalog.reload();
  expect(errors.length).toBe(1);
});

test("a server that connects again after its end is notified again, once", async () => {
  const { files, catalog } = await changing();
  const { server, errors } = await serveSkills(R5, catalog);
  await server.close();
  for (const wire of [new Wire(), new Wire()]) await server.connect(wire);
  files["git-workflow/SKILL.md"] = "broken";
  await catalog.reload();
  expect(errors).toHaveLength(1);
  await server.close();
});

test("a catalog does not keep the servers of clients alive", async () => {
  const catalog = await load();
  let subscriptions = 0;
  const source: SkillSource = {
    list: () => catalog.list(),
    get: (uri) => catalog.get(uri),
    read: (uri) => catalog.read(uri),
    subscribe(changed, onerror) {
      subscriptions++;
      const unsubscribe = catalog.subscribe(changed, onerror);
      return () => {
        subscriptions--;
        unsubscribe();
      };
    },
  };
  for (let client = 0; client < 100; client++) new McpServer(serverInfo, { extensions: [skills(source)] });
  expect(subscriptions).toBe(100);
  await collectGarbage();
  // A few may still be on a stack.
  expect(subscriptions).toBeLessThan(10);
});

test("two servers can have the skills of one catalog, and a server its own resources beside them", async () => {
  const catalog: SkillCatalog = await load();
  const one = await serveSkills(R5, catalog);
  const other = await serveSkills(R5, catalog);
  one.server.registerResource("own", "file:///own.md", {}, () => ({ contents: [] }));
  const count = async ({ ask }: typeof one): Promise<number> =>
    ((await ask("resources/list")).result?.["resources"] as object[]).length;
  expect(await count(one)).toBe(7);
  expect(await count(other)).toBe(6);
});

test("an invalid cache hint is refused", async () => {
  const catalog = await load();
  expect(() => skills(catalog, { cacheHint: { ttlMs: -1, cacheScope: "public" } })).toThrow(
    "cache hint of skills: ttlMs",
  );
});

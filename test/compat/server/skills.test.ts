/** The same programs with the skills of the official server package and with ours, and what a client sees of them. */
import { Client, type FetchLike, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import * as originalServer from "@modelcontextprotocol/server";
import * as originalSkills from "@modelcontextprotocol/server/ext/skills";
import * as ownServer from "@mcpwright/compat/server";
import * as ownSkills from "@mcpwright/compat/server/ext/skills";
import { describe, expect, test } from "vitest";
import { z } from "zod/v4";

type Server = typeof originalServer;
type Skills = typeof originalSkills;
type Sdk = readonly [Server, Skills];
const sdks: readonly [Sdk, Sdk] = [
  [originalServer, originalSkills],
  [ownServer as unknown as Server, ownSkills as unknown as Skills],
];

type Extension = Pick<originalSkills.SkillsExtension, "attach">;
type Make = (skills: Skills, warn: (warning: originalSkills.SkillWarning) => void) => Extension | Promise<Extension>;
/** Asks for a result, or for the error in its place. */
type Ask = (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>;
type Program = (ask: Ask, client: Client, extension: Extension) => unknown;

const anything = z.looseObject({});

const manifest = (name: string, more = ""): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\nBody\n`;
const files = (): Record<string, string | Uint8Array> => ({
  "pdf/SKILL.md": manifest("pdf", "metadata:\n  version: '2.1'\n"),
  "pdf/references/FORMS.md": "# Forms\n",
  "pdf/references/deep/er.ts": "export {};\n",
  "pdf/a !\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~é😀.md": "?",
  "pdf/assets/logo.bin": new Uint8Array([0, 1, 0xff]),
  "pdf/assets/text.bin": "\uFEFFtext",
  "pdf/.hidden": "no",
  "pdf/inner/SKILL.md": manifest("inner"),
  "pdf/inner/more.json": "{}",
  "team a&b/refunds/SKILL.md": manifest("refunds"),
  "other/README": "not a skill",
});

const memory: Make = ({ SkillsExtension, memorySkillFiles }, onWarning) =>
  SkillsExtension.load(memorySkillFiles(files()), { onWarning });

async function run(sdk: Sdk, mode: "auto" | "legacy", make: Make, program: Program): Promise<unknown> {
  const [server, skills] = sdk;
  const warnings: string[] = [];
  const extension = await make(skills, ({ path }) => void warnings.push(path));
  const handler = server.createMcpHandler(() => {
    const mcp = new server.McpServer({ name: "skills", version: "1.0.0" });
    extension.attach(mcp);
    return mcp;
  });
  const client = new Client({ name: "client", version: "1.0.0" }, { versionNegotiation: { mode } });
  const fetch: FetchLike = (url, init) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  const ask: Ask = (method, params = {}) =>
    client.request({ method, params }, anything).catch((error: unknown) => {
      const { code, message, data } = error as Record<string, unknown>;
      return { code, message, data };
    });
  try {
    return { seen: await program(ask, client, extension), warnings };
  } finally {
    await client.close();
    await handler.close();
  }
}

async function compare(
  mode: "auto" | "legacy",
  make: Make,
  program: Program,
): Promise<{ seen: unknown; warnings: string[] }> {
  const [expected, found] = await Promise.all(sdks.map((sdk) => run(sdk, mode, make, program)));
  expect(found).toEqual(expected);
  return found as { seen: unknown; warnings: string[] };
}

/** Reads all pages of a list. Cursors are the server's own. */
async function pages(ask: Ask, method: string, params: object = {}): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let cursor: unknown; ;) {
    const { nextCursor, ...page } = await ask(method, { ...params, ...(cursor !== undefined && { cursor }) });
    all.push(page);
    if (nextCursor === undefined) return all;
    cursor = nextCursor;
  }
}

const served: Readonly<Record<string, Program>> = {
  "learns the capabilities": (_ask, client) => client.getServerCapabilities()?.extensions,
  "lists the skills": (ask) => ask("skills/list"),
  "gets a skill": (ask) => ask("skills/get", { uri: "skill://pdf/SKILL.md" }),
  "gets a nested skill": (ask) => ask("skills/get", { uri: "skill://pdf/inner/SKILL.md" }),
  "gets a skill by another spelling": (ask) => ask("skills/get", { uri: "SKILL://pdf/./SKILL.md" }),
  "gets a skill that does not exist": (ask) => ask("skills/get", { uri: "skill://none/SKILL.md" }),
  "gets without a URI": (ask) => ask("skills/get", { uri: 1 }).then(({ code }) => code),
  "lists the resources": (ask) => ask("resources/list"),
  "lists the templates": (ask) => ask("resources/templates/list"),
  "reads a SKILL.md": (ask) => ask("resources/read", { uri: "skill://pdf/SKILL.md" }),
  "reads text": (ask) => ask("resources/read", { uri: "skill://pdf/references/deep/er.ts" }),
  "reads text with a byte order mark": (ask) => ask("resources/read", { uri: "skill://pdf/assets/text.bin" }),
  "reads bytes": (ask) => ask("resources/read", { uri: "skill://pdf/assets/logo.bin" }),
  "reads all files that are listed": async (ask) => {
    const { skills } = (await ask("skills/list")) as { skills: { resources: { uri: string }[] }[] };
    return Promise.all(skills.flatMap(({ resources }) => resources.map(({ uri }) => ask("resources/read", { uri }))));
  },
  "verifies all files": async (_ask, client) => {
    const skills = new SkillsClient(client);
    const { skills: entries } = await skills.list();
    const files = entries.flatMap((entry) =>
      entry.resources === "dynamic" ? [] : entry.resources.map(({ uri }) => skills.read(entry, uri)),
    );
    return [entries.length, files.length, await Promise.all(files), await skills.readDirectory("skill://pdf")];
  },
  "reads directories": (ask) =>
    Promise.all(
      [
        "skill://pdf",
        "skill://pdf/references",
        "skill://pdf/assets",
        "skill://pdf/inner",
        "skill://team%20a%26b/refunds",
      ].map((uri) => ask("resources/directory/read", { uri })),
    ),
  "reads what is not a directory": (ask) =>
    Promise.all(
      ["skill://pdf/SKILL.md", "skill://other", "skill://pdf/", "skill://", "none", "skill://team%20a%26b"].map((uri) =>
        ask("resources/directory/read", { uri }),
      ),
    ),
  "sends an invalid cursor": (ask) =>
    Promise.all([
      ask("skills/list", { cursor: "abcd" }),
      ask("skills/list", { cursor: "%" }),
      ask("resources/directory/read", { uri: "skill://pdf", cursor: "abcd" }),
    ]),
};

/** URIs that no server may answer with a file. */
const hostile = [
  "skill://pdf/../../etc/passwd",
  "skill://pdf/%2e%2e/%2e%2e/etc/passwd",
  "skill://pdf/..%2f..%2fetc%2fpasswd",
  "skill://pdf/references/..%5c..%5cSKILL.md",
  "skill://pdf/.hidden",
  "skill://pdf/references",
  "skill://pdf/SKILL.md%00",
  "skill://pdf/SKILL.md?x",
  "skill://pdf/skill.md",
  "skill://other/README",
  "skill://pdf/__proto__",
  "skill://constructor/SKILL.md",
  "file:///etc/passwd",
];

describe.each(["auto", "legacy"] as const)("a client with the option mode: %s", (mode) => {
  test.each(Object.entries(served))("%s", async (_name, program) => {
    const { seen } = await compare(mode, memory, program);
    expect(seen).toBeDefined();
  });

  test.each(hostile)("gets nothing for %s", async (uri) => {
    // Clients with a handshake get -32002 from ours, as their revisions define.
    const { seen } = await compare(mode, memory, async (ask) => {
      const answers = [await ask("resources/read", { uri }), await ask("skills/get", { uri })];
      return answers.map(({ code, data }) => [code === -32002 ? -32602 : code, data]);
    });
    expect((seen as unknown[][]).map(([code]) => code)).toEqual([-32602, -32602]);
  });

  test.each([1, 2, 100, Infinity])("sees all pages of %d", async (pageSize) => {
    const make: Make = ({ SkillCatalog, memorySkillFiles }, onWarning) =>
      SkillCatalog.load(memorySkillFiles(files()), { pageSize, onWarning, prefix: "acme/x y" });
    const { seen } = await compare(mode, make, async (ask) => [
      await pages(ask, "skills/list"),
      await pages(ask, "resources/directory/read", { uri: "skill://acme/x%20y/pdf" }),
    ]);
    expect((seen as unknown[][]).map((list) => list.length)).toEqual(
      [3, 5].map((all) => Math.ceil(all / pageSize) || 1),
    );
  });

  test.each([{ ttlMs: 60_000, cacheScope: "public" as const }, { ttlMs: 5 }, {}])(
    "sees the cache hints %o",
    async (cacheHint) => {
      const make: Make = ({ SkillsExtension, memorySkillFiles }) =>
        SkillsExtension.load(memorySkillFiles(files()), { cacheHint });
      const hints = ({ ttlMs, cacheScope }: Record<string, unknown>): unknown[] => [ttlMs, cacheScope];
      const { seen } = await compare(mode, make, async (ask) => [
        hints(await ask("skills/list")),
        hints(await ask("skills/get", { uri: "skill://pdf/SKILL.md" })),
        hints(await ask("resources/directory/read", { uri: "skill://pdf" })),
        hints(await ask("resources/read", { uri: "skill://pdf/SKILL.md" })),
      ]);
      const expected =
        mode === "auto" ? [cacheHint.ttlMs ?? 0, cacheHint.cacheScope ?? "private"] : [undefined, undefined];
      expect(seen).toEqual([expected, expected, expected, expected]);
    },
  );

  test("sees changes only after a reload", async () => {
    const content = files();
    const make: Make = ({ SkillsExtension, memorySkillFiles }, onWarning) =>
      SkillsExtension.load(memorySkillFiles(content), { onWarning });
    const program: Program = async (ask, _client, extension) => {
      Object.assign(content, files());
      const catalog = extension as originalSkills.SkillCatalog;
      await catalog.reload();
      content["pdf/references/FORMS.md"] = "# Other\n";
      delete content["pdf/inner/SKILL.md"];
      const read = (uri: string) => ask("resources/read", { uri });
      const uris = ["skill://pdf/references/FORMS.md", "skill://pdf/inner/SKILL.md", "skill://pdf/SKILL.md"];
      const before = [];
      for (const uri of uris) before.push(await read(uri));
      const changes = [await catalog.reload(), await catalog.reload()];
      const after = [];
      for (const uri of uris.slice(0, 1)) after.push(await read(uri));
      return [before, changes, after, await ask("skills/list"), catalog.entries];
    };
    const runs: unknown[] = [];
    // The files are changed by one program after the other.
    for (const sdk of sdks) runs.push(await run(sdk, mode, make, program));
    const [expected, found] = runs;
    expect(found).toEqual(expected);
    const { seen, warnings } = found as { seen: unknown[]; warnings: unknown };
    expect(seen.slice(0, 2)).toMatchObject([
      [{ code: -32603 }, { code: -32603 }, { contents: [{}] }],
      [
        { added: [], removed: ["skill://pdf/inner/SKILL.md"], changed: ["skill://pdf/SKILL.md"], listChanged: true },
        { added: [], removed: [], changed: [], listChanged: false },
      ],
    ]);
    expect(warnings).toEqual(["pdf/references/FORMS.md", "pdf/inner/SKILL.md"]);
  });

  test("sees the valid entries of a source", async () => {
    const make =
      (strict: boolean): Make =>
      async (skills, onWarning) => {
        const good = await skills.skillEntry("tools/pdf", { "SKILL.md": manifest("pdf") });
        const entries = [
          good,
          { ...good, uri: "skill://x/SKILL.md" },
          { ...good, frontmatter: { ...good.frontmatter, description: "x".repeat(1025) } },
          { ...good, frontmatter: { ...good.frontmatter, metadata: { version: 1 } } },
          { ...good, frontmatter: { ...good.frontmatter, compatibility: "" } },
          { ...good, _meta: 1 },
          { ...good, resources: [] },
          { uri: 1 },
          { ...good, uri: "skill://dynamic/pdf/SKILL.md", resources: "dynamic" },
        ];
        return new skills.SkillsExtension({
          source: {
            list: ({ cursor }) =>
              Promise.resolve({ skills: entries as never, ...(cursor === undefined && { nextCursor: "more" }) }),
            get: (uri) =>
              Promise.resolve(
                uri === "skill://other/SKILL.md" ? good : (entries.find((one) => one.uri === uri) as never),
              ),
            read: (uri) =>
              Promise.resolve(
                uri.endsWith(".md") ? { text: "text" } : { bytes: new Uint8Array([255]), mimeType: "a/b" },
              ),
            listResources: () =>
              Promise.resolve([
                { uri: "skill://tools/pdf/SKILL.md", name: "pdf" },
                { uri: "file:///etc/passwd", name: "outside" },
              ]),
          },
          strict,
          onWarning,
        });
      };
    const program: Program = async (ask, client) => [
      client.getServerCapabilities()?.extensions,
      await ask("skills/list"),
      await ask("skills/get", { uri: "skill://tools/pdf/SKILL.md" }),
      await ask("skills/get", { uri: "skill://dynamic/pdf/SKILL.md" }),
      // The reason is worded differently.
      (await ask("skills/get", { uri: "skill://x/SKILL.md" }))["code"],
      await ask("skills/get", { uri: "skill://other/SKILL.md" }),
      await ask("resources/list"),
      await ask("resources/read", { uri: "skill://any.md" }),
      await ask("resources/read", { uri: "skill://any.bin" }),
      (await ask("resources/directory/read", { uri: "skill://tools" }))["code"],
    ];
    const { seen, warnings } = await compare(mode, make(false), program);
    expect((seen as unknown[]).slice(0, 6)).toMatchObject([
      {},
      { skills: [{}, { resources: "dynamic" }], nextCursor: "more" },
      {},
      {},
      -32603,
      { code: -32603 },
    ]);
    expect(warnings.length).toBe(9);
    const strict: Program = async (ask) => {
      const { code, message } = await ask("skills/list");
      return [code, String(message).split(": ", 1)];
    };
    expect(await compare(mode, make(true), strict)).toMatchObject({ seen: [-32603, ["skill://x/SKILL.md"]] });
  });

  test("sees a source with another base URI", async () => {
    const make: Make = async (skills, onWarning) => {
      const baseUri = "https://example.com/skills//";
      const entry = await skills.skillEntry("./pdf/", { "./SKILL.md": manifest("pdf"), "a b.md": "" }, { baseUri });
      return new skills.SkillsExtension({
        source: {
          list: () => Promise.resolve({ skills: [entry] }),
          get: () => Promise.resolve(entry),
          read: (uri) => Promise.resolve({ text: uri }),
          readDirectory: (uri, params) =>
            Promise.resolve(
              uri === "skill://none"
                ? undefined
                : { resources: [{ uri, name: "x" }], nextCursor: JSON.stringify(params) },
            ),
        },
        baseUri,
        onWarning,
      });
    };
    await compare(mode, make, async (ask, client) => [
      client.getServerCapabilities()?.extensions,
      await ask("skills/list"),
      await ask("resources/templates/list"),
      await ask("resources/list"),
      await ask("resources/read", { uri: "https://example.com/skills/pdf/a%20b.md" }),
      await ask("resources/directory/read", { uri: "https://example.com/skills", cursor: "c" }),
      await ask("resources/directory/read", { uri: "skill://none" }),
    ]);
  });
});

describe("attaching", () => {
  /** What each step of a program does: nothing, or throw. */
  async function outcomes(steps: (sdk: Sdk) => Promise<readonly (() => unknown)[]>): Promise<unknown> {
    const all = await Promise.all(
      sdks.map(async (sdk) => {
        const found: unknown[] = [];
        for (const step of await steps(sdk)) {
          try {
            found.push((await step()) ?? "done");
          } catch (error) {
            found.push((error as Error).name);
          }
        }
        return found;
      }),
    );
    expect(all[1]).toEqual(all[0]);
    return all[1];
  }

  const empty = ({ SkillsExtension }: Skills): originalSkills.SkillsExtension =>
    new SkillsExtension({
      source: {
        list: () => Promise.resolve({ skills: [] }),
        get: () => Promise.resolve(undefined),
        read: () => Promise.resolve(undefined),
      },
    });

  test("works once for each server, before it is connected", async () => {
    const found = await outcomes(async ([server, skills]) => {
      const mcp = new server.McpServer(
        { name: "skills", version: "1.0.0" },
        { capabilities: { extensions: { "com.example/x": {} } } },
      );
      const [one, other] = [empty(skills), empty(skills)];
      const taken = new server.McpServer({ name: "skills", version: "1.0.0" });
      taken.server.setRequestHandler("skills/get", { params: z.looseObject({}) }, () => ({}));
      const connected = new server.McpServer({ name: "skills", version: "1.0.0" });
      const [transport] = server.InMemoryTransport.createLinkedPair();
      return Promise.resolve([
        () => one.attach(mcp),
        () => one.attach(mcp),
        () => other.attach(mcp),
        () => mcp.server.getCapabilities(),
        () => one.attach(taken),
        () => taken.server.getCapabilities(),
        () => connected.connect(transport),
        () => one.attach(connected),
        () => connected.close(),
      ]);
    });
    expect(found).toMatchObject(["done", "done", "Error", { extensions: {} }, "Error", {}, "done", "Error", "done"]);
  });

  test("invalid options throw the same errors", async () => {
    const found = await outcomes(([, skills]) => {
      const { SkillsExtension, SkillCatalog, memorySkillFiles } = skills;
      const source = {} as originalSkills.SkillSource;
      const load = (options: originalSkills.SkillCatalogOptions) =>
        SkillCatalog.load(memorySkillFiles({}), { onWarning: () => undefined, ...options }).then(() => "loaded");
      return Promise.resolve([
        () => new SkillsExtension({ source, baseUri: "pdf" }),
        () => new SkillsExtension({ source, baseUri: "urn:pdf" }),
        () => new SkillsExtension({ source, cacheHint: { ttlMs: -1 } }),
        () => new SkillsExtension({ source, cacheHint: { ttlMs: 1.5 } }),
        () => new SkillsExtension({ source, cacheHint: { cacheScope: "all" as never } }),
        ...[0, -1, 1.5, NaN, "1" as never].map((pageSize) => () => load({ pageSize })),
        ...["", "/", "..", "a/../b"].map((prefix) => () => load({ prefix })),
        ...[0, -1, NaN].map((bytes) => () => load({ limits: { bytes } })),
        () => load({ limits: { files: Infinity }, pageSize: Infinity, prefix: "./a//b/" }),
      ]);
    });
    const names = (count: number, name: string): string[] => Array<string>(count).fill(name);
    const expected = [
      names(2, "TypeError"),
      names(8, "RangeError"),
      names(4, "TypeError"),
      names(3, "RangeError"),
      "loaded",
    ];
    expect(found).toEqual(expected.flat());
  });

  test("clients of connected servers are notified of changes of the list", async () => {
    const all = await Promise.all(
      sdks.map(async ([server, skills]) => {
        const content = files();
        const catalog = await skills.SkillsExtension.load(skills.memorySkillFiles(content));
        const mcp = new server.McpServer({ name: "skills", version: "1.0.0" });
        catalog.attach(mcp);
        const [near, far] = server.InMemoryTransport.createLinkedPair();
        const client = new Client({ name: "client", version: "1.0.0" });
        let count = 0;
        client.setNotificationHandler("notifications/resources/list_changed", () => {
          count++;
        });
        await mcp.connect(near);
        await client.connect(far);
        content["pdf/references/FORMS.md"] = "changed";
        const quiet = await catalog.reload();
        await client.ping();
        const before = count;
        delete content["pdf/inner/SKILL.md"];
        content["new/SKILL.md"] = manifest("new");
        const [loud, last] = await Promise.all([catalog.reload(), catalog.reload()]);
        await client.ping();
        const after = count;
        await client.close();
        await mcp.close();
        content["newer/SKILL.md"] = manifest("newer");
        return [quiet, before, loud, last, after, await catalog.reload()];
      }),
    );
    expect(all[1]).toEqual(all[0]);
    expect(all[1]).toMatchObject([{ listChanged: false }, 0, { listChanged: true }, { listChanged: false }, 1, {}]);
  });
});

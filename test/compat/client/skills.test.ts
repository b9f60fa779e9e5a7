/** The same programs with the official client of skills and with ours, at servers that are honest and at others. */
import * as original from "@modelcontextprotocol/client";
import * as originalSkills from "@modelcontextprotocol/client/ext/skills";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { memorySkillFiles, type SkillReadResult, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import * as own from "@mcpwright/compat/client";
import * as ownSkills from "@mcpwright/compat/client/ext/skills";
import { describe, expect, test } from "vitest";
import { z } from "zod/v4";

type Sdk = typeof original;
type Skills = typeof originalSkills;
const sdks: readonly (readonly [Sdk, Skills])[] = [
  [original, originalSkills],
  [own as unknown as Sdk, ownSkills as unknown as Skills],
];

const manifest = "---\nname: pdf\ndescription: Reads PDF files\nmetadata:\n  version: '2.1'\n---\n# PDF\n";
const catalog = await SkillsExtension.load(
  memorySkillFiles({
    "pdf/SKILL.md": manifest,
    "pdf/references/FORMS.md": "# Forms\n",
    "pdf/Q&A.md": "?",
    "pdf/assets/logo.bin": new Uint8Array([0, 1, 0xff]),
    "refunds/SKILL.md": "---\nname: refunds\ndescription: Refunds\n---\nAsk.\n",
  }),
  { pageSize: 1, cacheHint: { ttlMs: 60_000, cacheScope: "public" } },
);
const [pdf, refunds] = catalog.entries;
if (!pdf || !refunds) throw new Error("the catalog is empty");
const dynamic = { ...pdf, resources: "dynamic" as const };

/** A server that lists what a test wants, and returns its files. */
function listing(skills: readonly object[], read: (uri: string) => SkillReadResult | undefined): SkillsExtension {
  return new SkillsExtension({
    source: {
      list: () => Promise.resolve({ skills: skills as never }),
      get: (uri) => Promise.resolve(skills.find((one) => (one as { uri?: unknown }).uri === uri) as never),
      read: (uri) => Promise.resolve(read(uri)),
    },
    onWarning: () => undefined,
  });
}

type Program = (client: originalSkills.SkillsClient, skills: Skills, sdk: Sdk) => unknown;

/** Returns what a program sees with one of the packages. */
async function run(
  [sdk, skills]: readonly [Sdk, Skills],
  mode: "auto" | "legacy",
  extension: { attach(mcp: McpServer): void } | undefined,
  program: Program,
  options: originalSkills.SkillsClientOptions = {},
): Promise<unknown> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "skills", version: "1.0.0" });
    extension?.attach(server);
    return server;
  });
  const client = new sdk.Client({ name: "client", version: "1.0.0" }, { versionNegotiation: { mode } });
  const fetch: original.FetchLike = (url, init) => handler.fetch(new Request(url, init));
  await client.connect(new sdk.StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  try {
    return await program(new skills.SkillsClient(client, options), skills, sdk);
  } catch (error) {
    const { name, message, code, data, reason, uri, differences } = error as Record<string, unknown>;
    const isOwn = error instanceof skills.SkillVerificationError;
    return { name, message, code, data, reason, uri, differences, isOwn, isSdkError: error instanceof sdk.SdkError };
  } finally {
    await client.close();
    await handler.close();
  }
}

const programs: Readonly<Record<string, Program>> = {
  "learns what the server has": (client) => [client.supported, client.directoryRead],
  "lists all pages": (client) => client.list(),
  "gets a skill": (client) => client.get(pdf.uri),
  "gets a skill that does not exist": (client) => client.get("skill://none/SKILL.md"),
  "reads a skill": (client) => client.read(pdf),
  "reads text": (client) => client.read(pdf, "references/FORMS.md#top"),
  "reads bytes": (client) => client.read(pdf, `${pdf.uri.replace("SKILL.md", "")}assets/logo.bin`),
  "reads a file whose name is encoded": (client) => client.read(pdf, "Q%26A.md"),
  "reads a generated skill": (client) => client.read(dynamic),
  "reads a file that is not listed": (client) => client.read(pdf, "scripts/new.sh"),
  "reads a file of another skill": (client) => client.read(pdf, "../refunds/SKILL.md"),
  "reads with another digest": (client) => client.read(changed({ digest: `sha256:${"0".repeat(64)}` })),
  "reads with another size": (client) => client.read(changed({ size: 1 })),
  "reads with another frontmatter": (client) =>
    client.read({ ...pdf, frontmatter: { ...pdf.frontmatter, description: "Deletes", license: "MIT" } }),
  "reads a directory": (client) => client.readDirectory("skill://pdf"),
  "reads a file as a directory": (client) => client.readDirectory(pdf.uri),
  "has the constants": (_client, skills) => Object.entries(skills).filter(([, value]) => typeof value !== "function"),
};

function changed(change: object): originalSkills.Skill {
  if (!pdf || pdf.resources === "dynamic") throw new Error("the skill has no files");
  return { ...pdf, resources: pdf.resources.map((file) => ({ ...file, ...change })) };
}

async function compare(
  ...rest: Parameters<typeof run> extends [unknown, ...infer Rest] ? Rest : never
): Promise<unknown> {
  const [expected, found] = [await run(sdks[0] as never, ...rest), await run(sdks[1] as never, ...rest)];
  expect(found).toEqual(expected);
  return found;
}

describe.each(["auto", "legacy"] as const)("with the option mode: %s", (mode) => {
  test.each(Object.entries(programs))("a program that %s sees the same", async (_name, program) => {
    expect(await compare(mode, catalog, program)).toBeDefined();
  });

  test("a server without skills lists none", async () => {
    expect(await compare(mode, undefined, (client) => client.list())).toEqual({ skills: [], invalid: [] });
    expect(await compare(mode, undefined, (client) => client.get(pdf.uri))).toMatchObject({ isSdkError: true });
    expect(await compare(mode, undefined, (client) => client.read(pdf))).toMatchObject({ isSdkError: true });
    expect(await compare(mode, undefined, (client) => client.readDirectory("skill://pdf"))).toMatchObject({
      isSdkError: true,
    });
  });

  test.each([
    ["without frontmatter", "# PDF"],
    ["with invalid YAML", "---\nname: [\n---\n"],
  ])("a SKILL.md %s is refused", async (_what, text) => {
    const program: Program = async (client) => {
      const error: unknown = await Promise.resolve(client.read(dynamic)).catch((error: unknown) => error);
      const { reason, uri, differences, name } = error as Record<string, unknown>;
      return { reason, uri, differences, name };
    };
    const source = listing([dynamic], () => ({ text }));
    expect(await compare(mode, source, program)).toMatchObject({ reason: "frontmatter" });
  });

  test("invalid entries are named, or returned", async () => {
    const entries = [pdf, { ...pdf, uri: "skill://x/SKILL.md" }, { uri: 1 }, refunds, { ...refunds }];
    const server = {
      attach({ server }: McpServer) {
        server.registerCapabilities({ resources: {}, extensions: { [originalSkills.SKILLS_EXTENSION_ID]: {} } });
        const hints = mode === "auto" ? { ttlMs: 0, cacheScope: "private" } : {};
        server.setRequestHandler("skills/list", { params: z.looseObject({}) }, () => ({ skills: entries, ...hints }));
      },
    };
    // The reasons are worded differently.
    const program: Program = async (client) => {
      const { skills, invalid } = await client.list();
      return { skills, invalid: invalid.map(({ index, uri, reason }) => [index, uri, reason !== ""]) };
    };
    const found = await compare(mode, server, program, { skipInvalid: true });
    expect(found).toMatchObject({
      skills: [pdf],
      invalid: [
        [1, "skill://x/SKILL.md", true],
        [2, undefined, true],
        [3, refunds.uri, true],
        [4, refunds.uri, true],
      ],
    });
    const thrown: Program = async (client) => {
      const error: unknown = await client.list().catch((error: unknown) => error);
      const { code, message } = error as { code: unknown; message: string };
      return [code, message.split("\n").map((line) => line.replace(/: .*/, ""))];
    };
    expect(await compare(mode, server, thrown)).toMatchObject(["INVALID_RESULT", { length: 5 }]);
  });

  test("a parser of the program is used", async () => {
    const parseFrontmatter = (): Record<string, unknown> => ({ ...pdf.frontmatter });
    const source = listing([dynamic], () => ({ text: "---\nwhatever\n---\nBody" }));
    const found = await compare(mode, source, (client) => client.read(dynamic), { parseFrontmatter });
    expect(found).toMatchObject({ body: "Body", verified: false });
  });
});

/** Skills that tests serve, and a server that answers with what a test wants. */
import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import type { Skill } from "@mcpwright/protocol/extensions/skills";
import { skillsExtension } from "@mcpwright/protocol/extensions/skills";
import { withSettings } from "@mcpwright/protocol/layer-extension";
import { parse } from "yaml";
import { Client, type ClientOptions } from "../../../../runtime/src/client.js";
import { InMemoryTransport, ProtocolError } from "../../../../runtime/src/index.js";
import { Server, type ServerOptions } from "../../../../runtime/src/server.js";
import { skills, SkillsClient, type SkillsClientOptions } from "../../../../runtime/src/skills/client.js";
import { clientInfo, clientSide, R4, R5, serverInfo } from "../../connection/connection-ends.js";

export const revisions = [R4, R5];

export const manifest = `---
name: pdf
description: Reads PDF files
metadata:
  version: "2.1"
---
# PDF

See [forms](references/FORMS.md).
`;
export const frontmatter = { name: "pdf", description: "Reads PDF files", metadata: { version: "2.1" } };
export const directory = "skill://acme/pdf";
export const files: Readonly<Record<string, string | Uint8Array>> = {
  "SKILL.md": manifest,
  "references/FORMS.md": "# Forms\n",
  "assets/logo.png": new Uint8Array([0x89, 0x50, 0xff, 0x00]),
};

export function fileEntry(path: string, content: string | Uint8Array = files[path] ?? "") {
  const bytes = Buffer.from(content);
  return {
    uri: `${directory}/${path}`,
    digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    size: bytes.length,
  };
}

export const skill: Skill = {
  uri: `${directory}/SKILL.md`,
  frontmatter,
  resources: Object.keys(files).map((path) => fileEntry(path)),
};

/** What a server answers with, in place of the skill above. */
export interface Answers {
  /** By cursor; the first page is that of the empty string. */
  readonly pages?: Readonly<Record<string, object>> | ((cursor: string) => object);
  readonly get?: (uri: string) => unknown;
  readonly read?: (uri: string) => unknown;
  readonly directory?: (uri: string, cursor: string | undefined) => object;
  readonly settings?: object;
  /** Cache hints of files and of entries that are read one by one. Default: none. */
  readonly hints?: object;
}

/** Returns the content of a file as a server sends it. */
export function contentOf(uri: string, content: string | Uint8Array) {
  return typeof content === "string"
    ? { uri, mimeType: "text/markdown", text: content }
    : { uri, blob: Buffer.from(content).toString("base64") };
}

export interface Started {
  readonly client: Client;
  readonly reader: SkillsClient;
  /** The methods and URIs of all requests about skills. */
  readonly requests: string[];
  readonly server: Server;
}

export async function start(
  revision: string,
  answers: Answers = {},
  options: Partial<SkillsClientOptions> = {},
  clientOptions: ClientOptions = {},
  serverOptions: Partial<ServerOptions> = {},
): Promise<Started> {
  const { settings = { directoryRead: true }, hints } = answers;
  const requests: string[] = [];
  const server = new Server(serverInfo, {
    capabilities: { resources: {} },
    extensions: [withSettings(skillsExtension, settings)],
    ...serverOptions,
  });
  const { pages = { "": { skills: [skill] } } } = answers;
  const raw = {
    "skills/list": (params: { cursor?: string } = {}) => {
      requests.push(`list ${params.cursor ?? ""}`.trim());
      const { cursor = "" } = params;
      return typeof pages === "function" ? pages(cursor) : pages[cursor];
    },
    "skills/get": ({ uri }: { uri: string }) => {
      requests.push(`get ${uri}`);
      const found = answers.get ? answers.get(uri) : uri === skill.uri ? skill : undefined;
      if (found === undefined) throw new ProtocolError(-32602, "Unknown skill");
      return { skill: found, ...hints };
    },
    "resources/read": ({ uri }: { uri: string }) => {
      requests.push(`read ${uri}`);
      const own = files[uri.slice(directory.length + 1)];
      const found = answers.read ? answers.read(uri) : own === undefined ? undefined : [contentOf(uri, own)];
      if (found === undefined) throw new ProtocolError(-32602, "Resource not found", { uri });
      return { contents: found, ...hints };
    },
    "resources/directory/read": ({ uri, cursor }: { uri: string; cursor?: string }) => {
      requests.push(`directory ${uri} ${cursor ?? ""}`.trim());
      return answers.directory?.(uri, cursor) ?? { resources: [] };
    },
  };
  server.handle(raw as unknown as Parameters<typeof server.handle>[0]);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(clientInfo, {
    revisions: [clientSide(revision)],
    extensions: [skills()],
    ...clientOptions,
  });
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return { client, server, requests, reader: new SkillsClient(client, { parseFrontmatter: parse, ...options }) };
}

import type { Form } from "../http/forms.js";
import type { Subject as HttpSubject } from "../http/subjects.js";
import type { Subject as StdioSubject } from "../stdio/subjects.js";
import type { Revision } from "../shared/traffic.js";

export const native = "native API";
/** Makes a server for each request, as programs of the SDKs do that have no sessions. */
export const nativeFactory = "native API, a server per request";

/** A program of the official SDK, which runs with both packages. */
interface Program {
  readonly name: string;
  /** The script of the other benchmarks. */
  readonly script: string;
}

const handshake: Revision = "2025-11-25";
const stateless: Revision = "2026-07-28";

const stdioPrograms: readonly (Program & { readonly revisions: readonly Revision[] })[] = [
  { name: "2.x, serveStdio", script: "sdk2-serve", revisions: [handshake, stateless] },
  { name: "2.x, McpServer.connect", script: "sdk2", revisions: [handshake] },
  { name: "1.x, McpServer.connect", script: "sdk1", revisions: [handshake] },
];

const sessions: Form = { kind: "sessions", reply: "json" };
const alone: Form = { kind: "no sessions", reply: "sse" };
const requests: Form = { kind: "stateless", reply: "json" };

export const forms: readonly Form[] = [sessions, alone, requests];

/** Whether programs of the SDKs make a server for each request in a form. */
export function usesFactory(form: Form): boolean {
  return form.kind !== "sessions";
}

const httpPrograms: readonly (Program & { readonly forms: readonly Form[] })[] = [
  { name: "2.x, createMcpHandler", script: "sdk2-handler", forms: [alone, requests] },
  { name: "2.x, transport", script: "sdk2", forms: [sessions] },
  { name: "1.x, transport", script: "sdk1", forms: [sessions, alone] },
];

/** The packages that the programs import, and the folders that contain the programs with them. */
export const packages: readonly {
  readonly name: string;
  readonly folder: string;
  readonly alias: Readonly<Record<string, string>>;
}[] = [
  {
    name: "compat",
    folder: "compat",
    alias: {
      "@modelcontextprotocol/server": "@mcpwright/compat/server",
      "@modelcontextprotocol/sdk": "@mcpwright/compat/sdk",
    },
  },
  { name: "SDK", folder: "official", alias: {} },
];

export const stdioSubjects: readonly StdioSubject[] = [
  ...[handshake, stateless].map((revision) => ({ name: native, script: "native-stdio", revision })),
  ...stdioPrograms.flatMap(({ name, script, revisions }) =>
    revisions.flatMap((revision) =>
      packages.map((one) => ({
        name: `${one.name} ${name}`,
        script: `${one.folder}/stdio/${script}`,
        revision,
      })),
    ),
  ),
];

export const httpSubjects: readonly HttpSubject[] = [
  { name: native, script: "native-fetch", does: () => true },
  { name: nativeFactory, script: "native-fetch-factory", does: usesFactory },
  ...httpPrograms.flatMap(({ name, script, forms: able }) =>
    packages.map((one) => ({
      name: `${one.name} ${name}`,
      script: `${one.folder}/http/${script}`,
      does: (form: Form) => able.includes(form),
    })),
  ),
];

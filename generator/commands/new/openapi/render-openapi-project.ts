import { join, resolve } from "node:path";
import { format } from "../../../pipeline/format/format.js";
import { createRenderer } from "../../../pipeline/render/render.js";
import { data, literal, lineComment } from "../../../shared/code/code.js";
import { packageRoot } from "../../../shared/package-root.js";
import { agentsView } from "../../../shared/project/agents-view.js";
import { hostConfiguration } from "../../../shared/project/host-configuration.js";
import { packageJson } from "../../../shared/project/package-json.js";
import { unscoped } from "../../../shared/project/package-name.js";
import { commonFiles } from "../../../shared/project/project-files.js";
import type { OpenapiProject } from "../../../shared/project/project-options.js";
import type { ApiModel, SecurityScheme } from "./api-model.js";
import { checkDescription } from "./check-description.js";
import { isUrl, readDescription, shownSource } from "./description-source.js";
import { pickOperations } from "./pick-operations.js";
import { printProject } from "./print-project.js";
import { readApi } from "./read-api.js";

/** Files of every API, by their template of `templates/openapi`. */
const fixedFiles = [
  [".env.example", "project/env.example"],
  ["README.md", "project/README.md"],
  ["src/api-error.ts", "src/api-error.ts"],
  ["src/api.ts", "src/api.ts"],
  ["src/body.ts", "src/body.ts"],
  ["src/credentials.ts", "src/credentials.ts"],
  ["src/log-requests.ts", "src/log-requests.ts"],
  ["src/main.ts", "src/main.ts"],
  ["src/next-page.ts", "src/next-page.ts"],
  ["src/response.ts", "src/response.ts"],
  ["src/serialize.ts", "src/serialize.ts"],
  ["src/settings.ts", "src/settings.ts"],
  ["test/api.test.ts", "test/api.test.ts"],
  ["test/mock-api.ts", "test/mock-api.ts"],
  ["test/read-parameter.ts", "test/read-parameter.ts"],
  ["test/test-tool.ts", "test/test-tool.ts"],
] as const;

/**
 * All files of a server for an API, except the record, sorted by path. Reads the description.
 * @param from the folder to which the path of the description is relative. Default: the current folder
 * @throws DiagnosticError openapi-* when the description cannot be read or used
 */
export async function renderOpenapiProject(project: OpenapiProject, from = "."): Promise<ReadonlyMap<string, string>> {
  const { tags = [], paths = [], limit } = project.openapi;
  const source = isUrl(project.openapi.source) ? project.openapi.source : resolve(from, project.openapi.source);
  const document = await checkDescription(await readDescription(source), shownSource(source));
  const api = readApi(document, pickOperations(document, { tags, paths, limit }), source);
  const { folder } = packageRoot();
  const [render, renderCommon] = await Promise.all(
    ["openapi", "skeletons"].map((name) => createRenderer(join(folder, "templates", name))),
  );
  if (!render || !renderCommon) throw new Error("no templates");
  const view = { ...viewOf(project.name, api.model), agents: agentsView(project) };
  const texts = new Map(printProject(api, render));
  for (const [path, template] of fixedFiles) texts.set(path, render(template, view));
  for (const [path, template] of commonFiles) texts.set(path, renderCommon(template, view));
  const files = new Map([["package.json", packageJson(project)]]);
  for (const [path, text] of texts) files.set(path, await format(path, text));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function viewOf(name: string, { url, schemes, operations }: ApiModel): object {
  const bin = unscoped(name);
  const variables = schemes.flatMap(({ credentials }) => variablesOf(credentials));
  return {
    name,
    bin,
    kind: "server",
    include: '"src", "test", "vitest.config.ts"',
    stdio: true,
    deprecatedFiles: '"test/**"',
    stdoutNote: "; standard output carries the protocol",
    envReason: "The current folder does not matter, because hosts start servers in any folder.",
    toolCount: operations.length === 1 ? "1 tool" : `${operations.length} tools`,
    hostConfiguration: hostConfiguration(bin, {
      command: "node",
      args: [`/home/you/${bin}/build/main.js`],
      env: Object.fromEntries(variables.map((variable) => [variable, "…"])),
    }),
    defaultUrl: url === undefined ? "" : `.default(${literal(url)})`,
    environment: environmentText(url, schemes),
    apiUrl: literal(url ?? "https://api.example.com"),
    tokenUrls: data(
      schemes.flatMap(({ credentials: one }) => (one.kind === "clientCredentials" ? [new URL(one.tokenUrl).href] : [])),
    ),
    testEnvironment: data(Object.fromEntries(variables.map((variable) => [variable, "secret"]))),
  };
}

function environmentText(url: string | undefined, schemes: readonly SecurityScheme[]): string {
  const server =
    url === undefined ? "# The URL of the API. Required.\nAPI_URL=\n" : `# The URL of the API.\n# API_URL=${url}\n`;
  const credentials = schemes.map(({ name, description, credentials: one }) => {
    const about = lineComment(`${name}${description === undefined ? "" : `: ${description}`}`.slice(0, 300)).replace(
      /^\/\//,
      "#",
    );
    return `${about}\n${variablesOf(one)
      .map((variable) => `${variable}=\n`)
      .join("")}`;
  });
  return [server, ...credentials].join("\n");
}

function variablesOf(credentials: SecurityScheme["credentials"]): readonly string[] {
  switch (credentials.kind) {
    case "apiKey":
    case "bearer":
      return [credentials.variable];
    case "basic":
      return [credentials.user, credentials.password];
    case "clientCredentials":
      return [credentials.id, credentials.secret];
  }
}

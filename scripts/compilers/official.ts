import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { officialDraft, officialExtensions, type OfficialExtension } from "../official-files.js";

const program = resolve(import.meta.dirname, "../../dist/cli.js");
const over = "2026-07-28";

/** One run of `mcpwright generate`. */
interface Case {
  /** The name of its output folder. */
  readonly name: string;
  readonly args: readonly string[];
  /** The extension whose output a program uses. */
  readonly extension?: OfficialExtension["name"];
  /** Whether the output folder has the revision, too. */
  readonly hasRevision?: true;
}

/**
 * Generates code from the official files of the extensions and of the draft, unmodified, and writes a program for both roles of
 * each extension.
 * @throws Error with the errors of the command line
 */
export async function makeOfficial(folder: string): Promise<void> {
  mkdirSync(folder);
  const extensions = await officialExtensions(console.log);
  const draft = await officialDraft(console.log);
  for (const { name, args, extension, hasRevision } of [
    ...extensions.flatMap((one) => casesOf(one, draft)),
    ...(draft === undefined ? [] : [{ name: "draft", args: ["--schema", draft] } as Case]),
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [program, "generate", ...args, "--out", name], {
      cwd: folder,
      encoding: "utf8",
    });
    // A draft may have facts that no overlay states yet: these are findings.
    if (status !== 0 && (args.every((arg) => arg !== draft) || stderr.includes("error[")))
      throw new Error(`mcpwright generate ${args.join(" ")} ended with ${String(status)}\n${stderr}`);
    const contract = hasRevision ? `./${name}/contract.js` : "@mcpwright/protocol/contract";
    if (extension)
      writeFileSync(join(folder, `${name}.ts`), users[extension](`./${name}/extensions/${extension}`, contract));
  }
}

function casesOf({ name, schema, json, imports }: OfficialExtension, draft: string | undefined): readonly Case[] {
  const extension = ["--extension", schema];
  const imported = Object.entries(imports).flatMap(([specifier, path]) => ["--import", `${specifier}=${path}`]);
  return [
    { name, args: [...extension, "--over", over], extension: name },
    { name: `${name}-json`, args: ["--extension", json, "--over", over], extension: name },
    ...(imported.length === 0
      ? []
      : [{ name: `${name}-imports`, args: [...extension, "--over", over, ...imported], extension: name }]),
    ...(draft === undefined
      ? []
      : ([
          { name: `${name}-draft`, args: [...extension, "--over", draft], extension: name, hasRevision: true },
        ] as const)),
  ];
}

const users: Readonly<Record<OfficialExtension["name"], (folder: string, contract: string) => string>> = {
  tasks: (folder, contract) => `
import type { Connection } from "${contract}";
import { getTask, handleClient } from "${folder}/client.js";
import { isTask, tasksExtension, type GetTaskResult } from "${folder}/index.js";
import { handleServer, notifyTaskStatus } from "${folder}/server.js";

export const id: string = tasksExtension.id;
export async function use(client: Connection, server: Connection, task: GetTaskResult): Promise<string> {
  handleServer(server, { "tasks/get": ({ taskId }) => ({ ...task, taskId }) });
  handleClient(client, { "notifications/tasks": ({ status }) => console.assert(status === "working") });
  await notifyTaskStatus(server, task);
  const found = await getTask(client, { taskId: task.taskId });
  // @ts-expect-error the id of a task is a string
  await getTask(client, { taskId: 1 });
  // @ts-expect-error a task that has completed has a result
  const incomplete: GetTaskResult = { ...task, status: "completed" };
  return isTask(incomplete) ? found.status : "";
}
`,
  apps: (folder, contract) => `
import type { Connection } from "${contract}";
import { handleApp, mcpUiOpenLink, notifyMcpUiSizeChanged } from "${folder}/app.js";
import { handleHost, mcpUiResourceTeardown } from "${folder}/host.js";
import { appsExtension, isMcpUiTheme, type McpUiToolMeta } from "${folder}/index.js";

export const id: string = appsExtension.id;
export async function use(app: Connection, host: Connection): Promise<boolean> {
  handleHost(host, { "ui/open-link": ({ url }) => ({ isError: url === "" }) });
  handleApp(app, { "ui/resource-teardown": () => ({}) });
  await mcpUiResourceTeardown(host, {});
  await notifyMcpUiSizeChanged(app, { width: 1 });
  // @ts-expect-error a size is a number
  await notifyMcpUiSizeChanged(app, { width: "1" });
  // @ts-expect-error the policy belongs to the resource
  const meta: McpUiToolMeta = { csp: {} };
  const { isError = false } = await mcpUiOpenLink(app, { url: "https://example.com" });
  return isError || isMcpUiTheme(meta.resourceUri);
}
`,
};

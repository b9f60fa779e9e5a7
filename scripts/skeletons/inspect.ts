import { join } from "node:path";
import { pinnedNode } from "../pinned.js";
import { interopFolder, modulesFolder } from "../interop/paths.js";
import { type CommandOptions, run, serve } from "./command.js";
import { type Access, accessTo } from "./issuer.js";
import type { Project, Reached } from "./projects.js";

/** The two eras in which the Inspector opens a connection. */
export const eras = ["legacy", "modern"] as const;
export type Era = (typeof eras)[number];

interface Step {
  readonly options: readonly string[];
  /** Strings that its output must contain. */
  readonly finds: readonly string[];
  /** The expected exit code. The Inspector reports a failed tool with its exit code. */
  readonly code?: number;
  /** Whether to run the step also when the run is not thorough. */
  readonly always?: boolean;
}

const steps: readonly Step[] = [
  {
    options: ["--method", "tools/list", "--strict"],
    finds: ['"name":"search_notes"', '"name":"delete_note"', '"annotations"'],
    always: true,
  },
  { options: call("write_note", { title: "tea", text: "Buy some" }), finds: ['\\"tea\\" is written'] },
  { always: true, options: call("search_notes", {}), finds: ['"structuredContent":{"matches":['] },
  { options: call("count_words", {}), finds: ["words in"] },
  { options: call("rename_note", { from: "nothing", to: "tea" }), finds: ["There is no note"], code: 5 },
  {
    options: ["--method", "resources/read", "--uri", "notes://all"],
    finds: ['"mimeType":"application/json"'],
    always: true,
  },
  { options: ["--method", "resources/templates/list"], finds: ["notes://note/{title}"] },
  {
    options: ["--method", "prompts/get", "--prompt-name", "summarize", "--prompt-args", "style=funny"],
    finds: ["Write a funny summary"],
  },
];

/** The time-out of one run of the Inspector, in milliseconds. */
const patienceMs = 30_000;

/** Runs the steps with the Inspector's command line against a built server. @throws Error for a step that fails */
export async function inspect(
  folder: string,
  home: string,
  { thorough = false, isProtected = false }: Project,
  { transport, args }: Reached,
  era: Era,
): Promise<number> {
  const command = [process.execPath, join(folder, "build/main.js"), ...args] as const;
  const options = { cwd: folder, patienceMs, env: { HOME: home } };
  if (transport === "stdio") return useAll(["--", ...command], era, options, thorough);
  const access: Access | undefined = isProtected ? await accessTo(folder) : undefined;
  try {
    const server = await serve([...command, "--port", access?.port ?? "0"], folder, access?.env);
    try {
      const target = ["--transport", transport, "--server-url", server.url, ...(access?.inspectorOptions ?? [])];
      return await useAll(target, era, options, thorough);
    } finally {
      await server.end();
    }
  } finally {
    await access?.end();
  }
}

async function useAll(
  target: readonly string[],
  era: Era,
  options: CommandOptions,
  thorough: boolean,
): Promise<number> {
  const taken = steps.filter(({ always }) => always === true || thorough);
  for (const step of taken) await useStep(step, target, era, options);
  return taken.length;
}

async function useStep({ options, finds, code = 0 }: Step, target: readonly string[], era: Era, how: CommandOptions) {
  const inspector = join(modulesFolder, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const shared = ["--cli", "--protocol-era", era, "--format", "json", "--quiet"];
  const { out, err } = await run([pinnedNode(interopFolder), inspector, ...shared, ...options, ...target], {
    ...how,
    code,
  });
  const missing = finds.find((part) => !`${out}${err}`.includes(part));
  if (missing !== undefined) throw new Error(`${options.join(" ")} (${era}) did not print ${missing}:\n${out}${err}`);
}

function call(tool: string, args: object): readonly string[] {
  return ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args)];
}

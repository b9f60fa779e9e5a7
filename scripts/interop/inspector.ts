import { join } from "node:path";
import type { Outcome } from "../../test/interop/target.js";
import { type Command, type Ended, run } from "./children.js";
import { modulesFolder } from "./paths.js";

/** How to connect the Inspector to a server. */
export interface Reach {
  readonly revision: string;
  /** The arguments after its options. */
  readonly target: readonly string[];
  /** The folder to which it may write. */
  readonly home: string;
}

interface Step {
  readonly feature: string;
  readonly options: readonly string[];
  /** Strings that its output must contain. */
  readonly finds: readonly string[];
  /** The accepted exit codes. Default: `[0]`. */
  readonly codes?: readonly number[];
  /** The first revision that has the feature. */
  readonly since?: string;
}

/** The steps of the features. All steps of a feature must pass. */
const steps: readonly Step[] = [
  { feature: "opening", options: ["--method", "initialize"], finds: ['"name":"fixture"'] },
  { feature: "tools", options: ["--method", "tools/list"], finds: ['"name":"add"', '"name":"route"'] },
  { feature: "tools", options: call("show"), finds: ['"type":"image"', '"type":"resource"'] },
  {
    feature: "structured output",
    options: [...call("add"), "--tool-args-json", '{"a":1,"b":2}'],
    finds: ['"structuredContent":{"sum":3}'],
    since: "2025-06-18",
  },
  { feature: "errors", options: call("fail"), finds: ["It failed on purpose"], codes: [5] },
  // Old revisions reply with an error, newer ones with a result that contains one.
  { feature: "errors", options: [...call("add"), "--tool-args-json", '{"a":"x"}'], finds: ["add"], codes: [1, 5] },
  {
    feature: "errors",
    options: ["--method", "resources/read", "--uri", "note://missing"],
    finds: ["Resource not found"],
    codes: [1],
  },
  { feature: "logging", options: ["--method", "logging/setLevel", "--log-level", "warning"], finds: ['"result":{}'] },
  { feature: "resources", options: ["--method", "resources/read", "--uri", "note://blob"], finds: ['"blob":"AAEC"'] },
  { feature: "templates", options: ["--method", "resources/templates/list"], finds: ['"memo://{name}"'] },
  { feature: "templates", options: ["--method", "resources/read", "--uri", "memo://hello"], finds: ["Memo hello"] },
  { feature: "subscriptions", options: ["--method", "resources/subscribe", "--uri", "note://counter"], finds: [] },
  { feature: "prompts", options: ["--method", "prompts/list"], finds: ['"name":"greet"'] },
  {
    feature: "prompts",
    options: ["--method", "prompts/get", "--prompt-name", "greet", "--prompt-args", "name=Ada"],
    finds: ["Hello, Ada"],
  },
  { feature: "completion", options: ["--method", "completion/complete"], finds: [] },
  { feature: "sampling", options: call("ask-model"), finds: ["The model said"] },
  { feature: "elicitation", options: call("ask-name"), finds: ["The user is"] },
  { feature: "roots", options: call("ask-roots"), finds: ["The roots are "] },
  // A page contains two.
  { feature: "pagination", options: ["--method", "resources/list"], finds: ["note://counter", "note://third"] },
];

/** The program that starts the Inspector's command line and its web page. */
export const inspectorScript = join(modulesFolder, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");

/** The era of a revision, as the Inspector names it. */
export function eraOf(revision: string): "modern" | "legacy" {
  return revision >= "2026-07-28" ? "modern" : "legacy";
}

/** The time-out of one run, in milliseconds. */
const patienceMs = 15_000;

/** Runs the steps with the Inspector's command line. */
export async function inspect(node: string, { revision, target, home }: Reach): Promise<readonly Outcome[]> {
  const problems = new Map<string, string | undefined>();
  for (const step of steps.filter(({ since = "" }) => since <= revision)) {
    if (problems.get(step.feature) !== undefined) continue;
    const command: Command = [
      node,
      inspectorScript,
      "--cli",
      "--protocol-era",
      eraOf(revision),
      "--format",
      "json",
      "--quiet",
      ...step.options,
    ];
    const ended = await run([...command, ...target] as unknown as Command, patienceMs, { env: { HOME: home } });
    problems.set(step.feature, problemOf(step, ended));
  }
  return [...problems].map(([feature, problem]) => (problem === undefined ? { feature } : { feature, problem }));
}

function problemOf({ finds, codes = [0] }: Step, ended: Ended): string | undefined {
  const output = `${ended.stdout}\n${ended.stderr}`.trim();
  if (codes.some((code) => code === ended.code) && finds.every((part) => output.includes(part))) return undefined;
  return `it exited with ${ended.code} and printed ${output.slice(0, 600)}`;
}

function call(tool: string): string[] {
  return ["--method", "tools/call", "--tool-name", tool];
}

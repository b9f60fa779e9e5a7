import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Transport = "stdio" | "http";
export type Era = "modern" | "legacy";

/** One run of a story's client against its server. */
export interface Leg {
  readonly transport: Transport;
  readonly era: Era;
}

/** A folder of the examples with a program, or a pair of them. */
export interface Story {
  readonly name: string;
  readonly legs: readonly Leg[];
  /** The path of the server's endpoint. */
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** A text that the client prints when it succeeds. */
  readonly prints: string | undefined;
}

/** The member `example` of a story's `package.json`. */
interface Settings {
  readonly transports?: readonly Transport[];
  readonly era?: Era | "dual";
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly expects?: { readonly stdout?: string };
  /** Why the story is not run. */
  readonly excluded?: string;
}

/** Folders of the examples that are not stories. */
const others: ReadonlySet<string> = new Set(["shared", "guides", "node_modules"]);

/** The stories in a folder with examples. Those without a client, and quick starts, which need the network, have no legs. */
export function readStories(examples: string): readonly Story[] {
  return readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !others.has(entry.name))
    .map(({ name }) => readStory(examples, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readStory(examples: string, name: string): Story {
  const { example: settings = {} } = JSON.parse(readFileSync(join(examples, name, "package.json"), "utf8")) as {
    readonly example?: Settings;
  };
  const isRun = settings.excluded === undefined && existsSync(join(examples, name, "client.ts"));
  const eras = settings.era === undefined || settings.era === "dual" ? (["modern", "legacy"] as const) : [settings.era];
  const transports = settings.transports ?? ["stdio", "http"];
  return {
    name,
    legs: isRun ? transports.flatMap((transport) => eras.map((era) => ({ transport, era }))) : [],
    path: settings.path ?? "/mcp",
    environment: settings.env ?? {},
    timeoutMs: settings.timeoutMs ?? 30_000,
    prints: settings.expects?.stdout,
  };
}

/** The guides, as paths in the folder of the examples. */
export function readGuides(examples: string): readonly string[] {
  const folder = join(examples, "guides");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join("guides", path))
    .sort();
}

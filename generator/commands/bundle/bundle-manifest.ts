import type { ServerVariable } from "../../shared/command/server-variables.js";
import { type Diagnostic, diagnostic, DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import type { Author, PackageFacts } from "../../shared/project/package-facts.js";
import { unscoped } from "../../shared/project/package-name.js";
import type { BundledSurface } from "./list-bundle.js";

/** The newest version of the format for servers on Node. Version 0.4 adds only servers that Python's uv runs. */
export const manifestVersion = "0.3";

/** The facts that hosts require. */
export interface CompleteFacts extends PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: Author;
}

const examples = { name: "weather", version: "1.0.0", description: "What it does" } as const;

/** Not the user of this machine: the same project gives the same bundle everywhere. */
const unknownAuthor: Author = { name: "Unknown author" };

/**
 * Adds an author if there is none: only its owner can state one for a new project, and the first bundle must not fail for it.
 * @throws DiagnosticError bundle-fact-missing for each of the others
 */
export function completeFacts(
  facts: PackageFacts,
  path: string,
  onFinding: (finding: Diagnostic) => void,
): CompleteFacts {
  const missing = (Object.keys(examples) as (keyof typeof examples)[]).filter((key) => facts[key] === undefined);
  if (missing.length > 0)
    throw new DiagnosticError(
      missing.map((key) => diagnostic("bundle-fact-missing", { path, key, example: examples[key] })),
    );
  if (!facts.author) onFinding(diagnostic("bundle-author-missing", { path, author: unknownAuthor.name }));
  return { author: unknownAuthor, ...facts } as CompleteFacts;
}

/** The parts of a bundle that its manifest names. */
export interface ManifestParts {
  readonly facts: CompleteFacts;
  /** The path of the code in the bundle. */
  readonly entry: string;
  readonly icon: string | undefined;
  readonly variables: readonly ServerVariable[];
  readonly platforms: readonly string[];
  /** Undefined: the server was not started. */
  readonly surface: BundledSurface | undefined;
}

/** Makes the content of `manifest.json`. */
export function bundleManifest(parts: ManifestParts): Readonly<Record<string, unknown>> {
  const { facts, entry, icon, variables, platforms, surface } = parts;
  const { version, description, author, repository, homepage, bugs, keywords, license, node } = facts;
  return {
    manifest_version: manifestVersion,
    name: unscoped(facts.name),
    ...(surface?.title !== undefined && { display_name: surface.title }),
    version,
    description,
    author,
    ...(repository && { repository: { type: "git", url: repository.url } }),
    ...(homepage !== undefined && { homepage }),
    ...(bugs !== undefined && { support: bugs }),
    ...(icon !== undefined && { icon }),
    server: {
      type: "node",
      entry_point: entry,
      mcp_config: {
        command: "node",
        args: [`\${__dirname}/${entry}`],
        env: Object.fromEntries(variables.map(({ name }) => [name, `\${user_config.${name}}`])),
      },
    },
    ...surfaceMembers(surface),
    ...(keywords.length > 0 && { keywords }),
    ...(license !== undefined && { license }),
    compatibility: { platforms, ...(node !== undefined && { runtimes: { node } }) },
    ...(variables.length > 0 && {
      user_config: Object.fromEntries(variables.map((variable) => [variable.name, optionOf(variable)])),
    }),
  };
}

/** Hosts ask the running server for its prompts: texts that are rendered here could contain data of this machine. */
function surfaceMembers(surface: BundledSurface | undefined): object {
  if (!surface) return { tools_generated: true, prompts_generated: true };
  const { tools, hasPrompts } = surface;
  return { ...(tools.length > 0 && { tools }), ...(hasPrompts && { prompts_generated: true }) };
}

function optionOf({ name, isSecret, value }: ServerVariable): object {
  const words = name.toLowerCase().replaceAll("_", " ").trim();
  return {
    type: "string",
    title: words.charAt(0).toUpperCase() + words.slice(1),
    description: `The environment variable ${name} of the server`,
    ...(isSecret && { sensitive: true }),
    required: value === undefined,
    ...(value !== undefined && { default: value }),
  };
}

const known = ["darwin", "linux", "win32"] as const;

/** The platforms on which the bundle runs. Native modules run on this one only. */
export function platformsOf(os: readonly string[], paths: Iterable<string>): readonly string[] {
  const excluded = os.flatMap((name) => (name.startsWith("!") ? [name.slice(1)] : []));
  const named = os.filter((name) => !name.startsWith("!"));
  const stated = known.filter((name) => (named.length === 0 || named.includes(name)) && !excluded.includes(name));
  const isNative = [...paths].some((path) => path.endsWith(".node"));
  return isNative ? stated.filter((name) => name === process.platform) : stated;
}

import { basename, resolve } from "node:path";
import { UsageError } from "../../shared/command/usage-error.js";
import { packageNameFrom } from "../../shared/project/package-name.js";
import {
  isNotesStart,
  notesStarts,
  type ProjectOptions,
  type ProjectStart,
  startOptions,
} from "../../shared/project/project-options.js";
import { askChoices, Cancelled, type Choices } from "./questions.js";

/** What the command line says about the project. */
export interface GivenOptions {
  readonly dir: string;
  readonly start: ProjectStart | undefined;
  readonly name: string | undefined;
  readonly stdio: boolean | undefined;
  readonly legacySse: boolean | undefined;
  readonly skills: boolean | undefined;
  /** Whether to ask nothing, and to use defaults. */
  readonly yes: boolean;
}

/**
 * Decides on the project. Returns undefined when the user cancels.
 * @param mayAsk whether there is a terminal for questions
 * @throws UsageError for options that are missing, or do not fit the start
 */
export async function chooseProject(given: GivenOptions, mayAsk: boolean): Promise<ProjectOptions | undefined> {
  if (given.start !== undefined) refuseUnfit(given.start, given);
  const suggested = packageNameFrom(basename(resolve(given.dir)));
  try {
    const choices =
      mayAsk && !given.yes
        ? await askChoices(withName(given, suggested), suggested, { output: process.stderr })
        : defaults(given, suggested);
    refuseUnfit(choices.start, given);
    return projectOf(choices, given);
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

/** With `--start`, the name of the folder is the name, if it is valid: nothing is left to ask. */
function withName(given: GivenOptions, suggested: string | undefined): GivenOptions {
  return given.start === undefined ? given : { ...given, name: given.name ?? suggested };
}

function defaults({ dir, start, name, yes }: GivenOptions, suggested: string | undefined): Choices {
  const chosen = start ?? (yes ? "minimal" : undefined);
  if (chosen === undefined)
    throw new UsageError(
      "--start is required without a terminal: pass --yes for a minimal server, or another start; `mcpwright new --list` lists them.",
    );
  const named = name ?? suggested;
  if (named === undefined)
    throw new UsageError(
      `--name is required: the folder name ${JSON.stringify(basename(resolve(dir)))} is not a valid package name.`,
    );
  return { start: chosen, name: named };
}

const flags = { stdio: "--stdio", legacySse: "--legacy-sse", skills: "--skills" } as const;
type Flag = keyof typeof flags;

function refuseUnfit(start: ProjectStart, given: GivenOptions): void {
  const fitting: readonly Flag[] = isNotesStart(start) ? startOptions[start] : [];
  for (const flag of Object.keys(flags) as Flag[]) {
    if (given[flag] === undefined || fitting.includes(flag)) continue;
    const others = notesStarts.filter((other) => startOptions[other].includes(flag));
    throw new UsageError(`${flags[flag]} does not apply to --start ${start}, only to ${others.join(", ")}.`);
  }
}

function projectOf({ start, name }: Choices, { stdio, legacySse, skills }: GivenOptions): ProjectOptions {
  if (!isNotesStart(start)) return { start, name };
  return { start, name, ...(stdio && { stdio }), ...(legacySse && { legacySse }), ...(skills && { skills }) };
}

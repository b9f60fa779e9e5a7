import type { Readable, Writable } from "node:stream";
import { projectStarts, type ProjectStart } from "../../shared/project/project-options.js";
import { packageNameProblem } from "../../shared/project/package-name.js";

/** The choices made on the command line. */
export interface GivenChoices {
  readonly start: ProjectStart | undefined;
  readonly name: string | undefined;
}

export interface Choices {
  readonly start: ProjectStart;
  readonly name: string;
}

export interface QuestionTerminal {
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Thrown when the user cancels. */
export class Cancelled extends Error {}

/**
 * Asks for the choices that the command line does not contain.
 * @param suggested the initial name
 * @throws Cancelled
 */
export async function askChoices(
  given: GivenChoices,
  suggested: string | undefined,
  terminal: QuestionTerminal = {},
): Promise<Choices> {
  const start = given.start ?? (await askStart(terminal));
  const name = given.name ?? (await askName(suggested, terminal));
  return { start, name };
}

async function askStart(terminal: QuestionTerminal): Promise<ProjectStart> {
  const { select } = await import("@clack/prompts");
  const answer = await select<ProjectStart>({
    ...terminal,
    message: "What do you want to start with?",
    options: (Object.keys(projectStarts) as ProjectStart[]).map((value) => ({
      value,
      label: value,
      hint: projectStarts[value],
    })),
  });
  return taken(answer);
}

async function askName(suggested: string | undefined, terminal: QuestionTerminal): Promise<string> {
  const { text } = await import("@clack/prompts");
  const answer = await text({
    ...terminal,
    message: "What is the name of the package?",
    ...(suggested !== undefined && { initialValue: suggested }),
    validate: (value = "") => packageNameProblem(value),
  });
  return taken(answer);
}

function taken<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer === "symbol") throw new Cancelled();
  return answer as Exclude<Answer, symbol>;
}

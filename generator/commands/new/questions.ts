import type { Readable, Writable } from "node:stream";
import type { ProjectKind, ProjectTransport } from "../../shared/project/project-options.js";
import { packageNameProblem } from "../../shared/project/package-name.js";

/** The choices made on the command line. */
export interface GivenChoices {
  readonly kind: ProjectKind | undefined;
  readonly name: string | undefined;
  readonly transport: ProjectTransport | undefined;
  readonly legacySse: boolean | undefined;
  readonly auth: boolean | undefined;
  readonly skills?: boolean | undefined;
}

export interface Choices {
  readonly kind: ProjectKind;
  readonly name: string;
  readonly transport: ProjectTransport;
  readonly legacySse: boolean;
  readonly auth: boolean;
  /** Default: false. There is no question about it. */
  readonly skills?: boolean;
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
  const isServer = given.transport !== undefined || given.auth === true || given.skills === true;
  const kind = given.kind ?? (isServer ? "server" : await askKind(terminal));
  const name = given.name ?? (await askName(suggested, terminal));
  if (kind === "client") return { kind, name, transport: "stdio", legacySse: false, auth: false };
  const transport = given.transport ?? (given.auth === true ? "http" : await askTransport(terminal));
  const legacySse = given.legacySse ?? (transport === "stdio" ? false : await askLegacySse(terminal));
  const auth = given.auth ?? (transport === "stdio" ? false : await askAuth(terminal));
  return { kind, name, transport, legacySse, auth, ...(given.skills && { skills: true }) };
}

async function askKind(terminal: QuestionTerminal): Promise<ProjectKind> {
  const { select } = await import("@clack/prompts");
  const answer = await select<ProjectKind>({
    ...terminal,
    message: "What do you want to build?",
    options: [
      { value: "server", label: "A server", hint: "tools, resources and prompts for AI applications" },
      { value: "client", label: "A client", hint: "a chat host that uses servers" },
    ],
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

async function askTransport(terminal: QuestionTerminal): Promise<ProjectTransport> {
  const { select } = await import("@clack/prompts");
  const answer = await select<ProjectTransport>({
    ...terminal,
    message: "Which transport does it use?",
    options: [
      { value: "stdio", label: "stdio", hint: "hosts start it on the user's computer" },
      { value: "http", label: "Streamable HTTP", hint: "it runs on a server and has a URL" },
      { value: "both", label: "Both" },
    ],
  });
  return taken(answer);
}

async function askLegacySse(terminal: QuestionTerminal): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  const answer = await confirm({
    ...terminal,
    message: "Must it serve clients that support only HTTP+SSE (2024-11-05)?",
    initialValue: false,
  });
  return taken(answer);
}

async function askAuth(terminal: QuestionTerminal): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  const answer = await confirm({
    ...terminal,
    message: "Must callers log in at an authorization server?",
    initialValue: false,
  });
  return taken(answer);
}

function taken<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer === "symbol") throw new Cancelled();
  return answer as Exclude<Answer, symbol>;
}
